import { expect, onTestFinished, test } from 'vitest';
import { handlerOf, jobKind, startRunners } from '../../src/jobs/index.ts';
import { shareJobs, signal } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const fetching = jobKind('fetch', ['workspace', 'number'], { isLong: true });

/** Workers with eight slots, whose jobs run until the test ends. */
async function setUp() {
  const { store, queue } = await shareJobs(postgres);
  const end = signal();
  const running: string[] = [];
  const arrivals: { count: number; give: () => void }[] = [];
  const began = async (name: string) => {
    running.push(name);
    for (const { count, give } of arrivals) if (running.length >= count) give();
    await end.given;
  };
  const handlers = [
    handlerOf<{ workspace: string; number: string }>({
      kind: fetching,
      run: ({ workspace }) => began(workspace),
      giveUp: async () => {},
    }),
  ];
  const runner = await startRunners({ store, handlers, slots: { long: 8, short: 1 } });
  onTestFinished(() => runner.stop(0));
  onTestFinished(end.give);
  return {
    running,
    async fetch(workspace: string, count: number) {
      for (let number = 0; number < count; number += 1) {
        await queue.add(fetching, { workspace, number: String(number) });
      }
    },
    /** Resolves when `count` jobs run. */
    async busy(count: number) {
      const { give, given } = signal();
      arrivals.push({ count, give });
      if (running.length < count) await given;
    },
  };
}

test('a workspace whose jobs never end leaves half of the slots to others', async () => {
  const { fetch, busy, running } = await setUp();
  await fetch('T1', 20);
  await busy(4);
  await fetch('T2', 20);
  await busy(6);
  await fetch('T3', 1);
  await busy(7);
  expect(running.filter((workspace) => workspace === 'T1')).toHaveLength(4);
  expect(running.filter((workspace) => workspace === 'T2')).toHaveLength(2);
  expect(running.filter((workspace) => workspace === 'T3')).toHaveLength(1);
});

test('slots are shared among jobs that wait when a worker starts, too', async () => {
  const { queue } = await shareJobs(postgres);
  for (let number = 0; number < 30; number += 1) await queue.add(fetching, { workspace: 'T1', number: `${number}` });
  await queue.add(fetching, { workspace: 'T2', number: '1' });
  const { running, busy } = await setUp();
  await busy(5);
  expect(running.filter((workspace) => workspace === 'T1')).toHaveLength(4);
  expect(running).toContain('T2');
});
