/**
 * Runs trivial jobs on an embedded Postgres: `jobs.js <folder> <jobs> <rounds>`. Bare graphile-worker and our runner
 * take turns. Prints medians, and how long the database took to start, as JSON.
 */
import { randomBytes } from 'node:crypto';
import { type Runner as Engine, Logger, run } from 'graphile-worker';
import { handlerOf, jobKind, openQueue, startRunner } from '../../src/jobs/index.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/index.ts';
import { openStore } from '../../src/store/index.ts';
import { median } from './figures.ts';

const [dataDir = '', jobs, rounds] = process.argv.slice(2);
const count = Number(jobs);
const concurrency = 10;

const coldStartedAt = performance.now();
const first = await startEmbeddedPostgres({ dataDir });
const firstStartMs = performance.now() - coldStartedAt;
await first.stop();
const warmStartedAt = performance.now();
const postgres = await startEmbeddedPostgres({ dataDir });
const warmStartMs = performance.now() - warmStartedAt;

const store = await openStore({ connection: postgres.connection, secretKeys: [randomBytes(32)] });
const queue = await openQueue(store.pool);
const trivial = jobKind('trivial', ['number']);
let done = 0;
let finished = () => {};
const tick = () => {
  done += 1;
  if (done === count) finished();
};

/** Adds the jobs, runs `start` and returns the rate per second. */
async function measureRate(start: () => Promise<{ stop(): Promise<void> }>): Promise<number> {
  await store.pool.query(
    `select graphile_worker.add_job('trivial',
       json_build_object('run', gen_random_uuid(), 'ids', json_build_object('number', n::text)))
     from generate_series(1, $1::int) n`,
    [count],
  );
  done = 0;
  const all = new Promise<void>((resolve) => {
    finished = resolve;
  });
  const started = performance.now();
  const runner = await start();
  await all;
  const seconds = (performance.now() - started) / 1000;
  await runner.stop();
  return count / seconds;
}

const startBare = (): Promise<Engine> =>
  run({
    pgPool: store.pool,
    taskList: { trivial: tick },
    parsedCronItems: [],
    logger: new Logger(() => () => {}),
    noHandleSignals: true,
    preset: { worker: { concurrentJobs: concurrency, pollInterval: 250 } },
  });
const startOurs = () =>
  startRunner({
    store,
    concurrency,
    handlers: [handlerOf({ kind: trivial, run: async () => tick(), giveUp: async () => {} })],
  });

const rates: Record<'bare' | 'ours', number[]> = { bare: [], ours: [] };
for (let round = 0; round < Number(rounds); round += 1) {
  rates.bare.push(await measureRate(startBare));
  rates.ours.push(await measureRate(startOurs));
}
await queue.close();
await store.close();
await postgres.stop();
process.stdout.write(JSON.stringify({ firstStartMs, warmStartMs, bare: median(rates.bare), ours: median(rates.ours) }));
