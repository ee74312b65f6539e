import { expect, test } from 'vitest';
import type { Interaction } from '../../src/slack/interaction.ts';
import { createWork } from '../../src/slack/work.ts';

test('when the process stops, failed work is retried once more at once', async () => {
  const stopping = new AbortController();
  const tracked: Promise<void>[] = [];
  const failures: unknown[] = [];
  const work = createWork(
    {
      claim: async () => true,
      track: (promise) => void tracked.push(promise),
      fail: async (_, error) => void failures.push(error),
      logFailure: () => stopping.abort(),
      isExpectedError: () => false,
      stopping: stopping.signal,
    },
    (_, run) => run(),
  );
  const interaction = { actor: { workspace: 'T1', person: 'U1', reference: 'R' } } as Interaction;
  const pausesMs = [3_600_000, 3_600_000];
  const attempts = { recovers: 0, fails: 0 };
  const recovers = async () => {
    if (++attempts.recovers === 1) throw new Error('no database');
  };
  const fails = async () => {
    throw new Error(`attempt ${++attempts.fails}`);
  };
  work(interaction, 'event 1', recovers, { pausesMs });
  await Promise.all(tracked);
  expect([attempts, failures]).toEqual([{ recovers: 2, fails: 0 }, []]);
  work(interaction, 'event 2', fails, { pausesMs });
  await Promise.all(tracked);
  expect([attempts.fails, failures]).toEqual([1, [new Error('attempt 1')]]);
});
