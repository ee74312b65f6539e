import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import type { Exchange } from '../../src/exchange/index.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type RunOptions, sendAtOnce, sendWithOtherClient, sendWithUnexpectedFile } from './interleavings.ts';

const postgres = startTestPostgres();

/** Delays every call a little, so that two workers interfere with each other. */
const delayed = (exchange: Exchange): Exchange =>
  Object.fromEntries(
    Object.entries(exchange).map(([name, method]) => {
      if (typeof method !== 'function') return [name, method];
      const call = method as (...args: unknown[]) => Promise<unknown>;
      return [name, async (...args: unknown[]) => sleep(Math.random() * 20).then(() => call(...args))];
    }),
  ) as Exchange;

/** Workers in this process, each with its own store. The deep tier runs many rounds with real processes. */
const options: RunOptions = {
  count: 1,
  async runWorkers({ openAnotherStore, otherServices, startWorker }, allRounds) {
    for (const store of [await openAnotherStore(), await openAnotherStore()]) {
      await startWorker({ store, services: otherServices(store, delayed) });
    }
    await allRounds;
  },
};

test('two concurrent senders each send their own files to their own recipients', async () => {
  await sendAtOnce(postgres, options);
});

test('neither of two people sends an unexpected file; a stopped sender sees its name', async () => {
  await sendWithUnexpectedFile(postgres, options);
});

test('if another client changes a transfer, it is stopped or reported as different', async () => {
  await sendWithOtherClient(postgres, options);
});
