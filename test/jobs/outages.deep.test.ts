import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { kind, recording, setUpJobs, signal } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test.each([
  ['without a queue', {}, 'ends well'],
  ['of a queue', { queue: 'outgoing:x' }, 'ends well'],
  ['without a queue', {}, 'fails'],
])(
  'a job %s at whose end the database is away costs neither the process nor the job',
  async (_, options, how) => {
    const { queue, work, drained, database } = await setUpJobs(postgres);
    let runs = 0;
    const { handler } = recording(async () => {
      runs += 1;
      if (runs > 1) return;
      await database.goAway();
      setTimeout(() => database.comeBack(), 1_000);
      if (how === 'fails') throw new Error('no luck');
    });
    await queue.add(kind, { person: 'U1' }, options);
    const runner = await work({ handlers: [handler], deadAfterSeconds: 0.5, reapEveryMs: 100 });
    await drained();
    expect(runs).toBe(2); // its end could not be written down, so nobody can know
    await expect.poll(() => runner.isUp()).toBe(true);
  },
  60_000,
);

test('two jobs that end while the database is away are taken up again: an engine that breaks is replaced', async () => {
  const { queue, work, drained, database } = await setUpJobs(postgres);
  const [isAway, isBack] = [signal(), signal()];
  const runs = new Map<string, number>();
  const { handler } = recording(async (person) => {
    const run = (runs.get(person) ?? 0) + 1;
    runs.set(person, run);
    if (run > 1) return;
    if (person === 'U1') {
      while (runs.size < 3) await sleep(5);
      await database.goAway();
      isAway.give();
    }
    await isAway.given;
    // Ends that come at once are written at once. Of two that cannot be written, the second confuses the engine.
    if (person === 'U2') await sleep(200);
    if (person === 'U3') await isBack.given;
    else throw new Error('no luck');
  });
  for (const person of ['U1', 'U2', 'U3']) await queue.add(kind, { person });
  const runner = await work({ handlers: [handler], deadAfterSeconds: 0.5, reapEveryMs: 100 });
  await isAway.given;
  await sleep(1_000);
  await database.comeBack();
  isBack.give();
  await drained();
  expect([runs.get('U1'), runs.get('U2')]).toEqual([2, 2]);
  await expect.poll(() => runner.isUp()).toBe(true);
});

test.each([{}, { queue: 'outgoing:x' }])(
  'a claim whose answer was lost is noticed by whoever holds it: %j',
  async (options) => {
    const { queue, work, drained, store } = await setUpJobs(postgres);
    const workers = new Set<string>();
    const done: string[] = [];
    const { handler } = recording(async (person) => {
      const { rows } = await store.pool.query(
        'select locked_by from graphile_worker._private_jobs where locked_by is not null',
      );
      workers.add(rows[0]?.locked_by);
      done.push(person);
    });
    await work({ handlers: [handler], deadAfterSeconds: 0.5, reapEveryMs: 100 });
    await queue.add(kind, { person: 'U1' });
    await drained();
    await queue.add(kind, { person: 'U2' }, { ...options, runAt: new Date(Date.now() + 3_600_000) });
    // What the engine's own statement has done when its answer does not arrive.
    const claim = `set locked_by = $1, locked_at = now() - interval '1 minute'`;
    await store.pool.query(`update graphile_worker._private_job_queues ${claim}`, [...workers]);
    await store.pool.query(`update graphile_worker._private_jobs ${claim}, run_at = now()`, [...workers]);
    await drained();
    expect(done).toEqual(['U1', 'U2']);
  },
);

test('an engine whose first question to the database fails is replaced', async () => {
  const { queue, work, drained, store } = await setUpJobs(postgres);
  const { handler } = recording(async () => {});
  const { rows } = await store.pool.query('select quote_ident(current_user) as name');
  const user = rows[0]?.name;
  await store.pool.query(`revoke insert on graphile_worker._private_tasks from ${user}`);
  await work({ handlers: [handler] });
  await sleep(500);
  await store.pool.query(`grant insert on graphile_worker._private_tasks to ${user}`);
  await queue.add(kind, { person: 'U1' });
  await drained();
});
