import { expect, onTestFinished, test } from 'vitest';
import { handlerOf, jobKind, startRunners } from '../../src/jobs/index.ts';
import { createDeferred, shareJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const fetchJob = jobKind('fetch', ['workspace', 'number'], { slots: 'long' });

/** Starts a worker with eight slots, whose jobs run until the test ends. */
async function setUp() {
  const { store, queue } = await shareJobs(postgres);
  const end = createDeferred();
  const running: string[] = [];
  const waits: { count: number; resolve: () => void }[] = [];
  const runUntilEnd = async (name: string) => {
    running.push(name);
    for (const { count, resolve } of waits) if (running.length >= count) resolve();
    await end.promise;
  };
  const handlers = [
    handlerOf<{ workspace: string; number: string }>({
      kind: fetchJob,
      run: ({ workspace }) => runUntilEnd(workspace),
      giveUp: async () => {},
    }),
  ];
  const runner = await startRunners({ store, handlers, slots: { long: 8, short: 1, posting: 1 } });
  onTestFinished(() => runner.stop(0));
  onTestFinished(end.resolve);
  return {
    running,
    async addJobs(workspace: string, count: number) {
      for (let number = 0; number < count; number += 1) {
        await queue.add(fetchJob, { workspace, number: String(number) });
      }
    },
    /** Resolves when at least `count` jobs run. */
    async untilRunning(count: number) {
      const { resolve, promise } = createDeferred();
      waits.push({ count, resolve });
      if (running.length < count) await promise;
    },
  };
}

test('each workspace takes at most half of the slots that others leave free', async () => {
  const { addJobs, untilRunning, running } = await setUp();
  await addJobs('T1', 20);
  await untilRunning(4);
  await addJobs('T2', 20);
  await untilRunning(6);
  await addJobs('T3', 1);
  await untilRunning(7);
  expect(running.filter((workspace) => workspace === 'T1')).toHaveLength(4);
  expect(running.filter((workspace) => workspace === 'T2')).toHaveLength(2);
  expect(running.filter((workspace) => workspace === 'T3')).toHaveLength(1);
});

test('when a worker starts, it also shares its slots among jobs that already wait', async () => {
  const { queue } = await shareJobs(postgres);
  for (let number = 0; number < 30; number += 1) await queue.add(fetchJob, { workspace: 'T1', number: `${number}` });
  await queue.add(fetchJob, { workspace: 'T2', number: '1' });
  const { running, untilRunning } = await setUp();
  await untilRunning(5);
  expect(running.filter((workspace) => workspace === 'T1')).toHaveLength(4);
  expect(running).toContain('T2');
});
