import { expect, onTestFinished, test } from 'vitest';
import { handlerOf, jobKind, startRunners } from '../../src/jobs/index.ts';
import { createDeferred, setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const long = jobKind('long', ['number'], { slots: 'long' });
const posting = jobKind('posting', ['number'], { slots: 'posting' });
const short = jobKind('short', ['number']);

test.each([long, posting])('jobs of the kind $name never take the slots of short jobs', async (kind) => {
  const { store, queue } = await setUpJobs(postgres);
  const [full, end, done] = [createDeferred(), createDeferred(), createDeferred()];
  let running = 0;
  const handlers = [
    handlerOf<{ number: string }>({
      kind,
      async run() {
        running += 1;
        if (running === 3) full.resolve();
        await end.promise;
      },
      giveUp: async () => {},
    }),
    handlerOf<{ number: string }>({ kind: short, run: async () => done.resolve(), giveUp: async () => {} }),
  ];
  const runner = await startRunners({ store, handlers, slots: { long: 3, short: 1, posting: 3 } });
  onTestFinished(() => runner.stop(0));
  for (let number = 0; number < 10; number += 1) await queue.add(kind, { number: String(number) });
  await full.promise;
  await queue.add(short, { number: '1' });
  await done.promise;
  expect(running).toBe(3);
  end.resolve();
});
