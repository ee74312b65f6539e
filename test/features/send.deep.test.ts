import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readHistoryPage, readPastTransfer } from '../../src/features/history/operations.ts';
import { keepHold } from '../../src/features/transfers/holds/repository.ts';
import { cancelTransfer } from '../../src/features/transfers/operations.ts';
import { anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { queueTransfer } from './queue-transfer.ts';

const postgres = startTestPostgres();

test('a transfer cancelled while the account is on hold is reported as cancelled', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store, server, account, work, ended } = setup;
  const id = await queueTransfer(setup);
  await keepHold(store.pool, `${server.url}/${account.user}`, randomUUID(), 'unknown');
  await cancelTransfer(services, anna, id);
  await work();
  expect(await ended(id)).toMatchObject({ state: 'cancelled' });
});

test('a transfer cancelled while it waits for a retry is reported at once', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store, work, ended } = setup;
  const id = await queueTransfer(setup);
  await store.pool.query(`update graphile_worker._private_jobs set run_at = now() + interval '6 hours', attempts = 12`);
  await work();
  await cancelTransfer(services, anna, id);
  expect(await ended(id)).toMatchObject({ state: 'cancelled' });
});

test('a message that the service rewrites raises no alarm', async () => {
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      readHistory: ({ pick, ...options } = {}) =>
        exchange.readHistory({
          ...options,
          pick: (entry, bytes) =>
            pick?.(Object.assign(entry, { message: entry.message?.replaceAll('&', '&amp;') }), bytes),
        }),
    }),
  });
  const { send, sourceFiles, work, notifications, services } = setup;
  await work();
  const files = [sourceFiles.put('F1', 'a.txt', 'A')];
  expect(await send(anna, { files, receivers: ['carl@example.org'], message: 'Q&A' })).toMatchObject({ state: 'sent' });
  expect(notifications.alarms).toEqual([]);
  const [entry] = (await readHistoryPage(services, anna)).entries;
  expect((await readPastTransfer(services, anna, entry?.id ?? '')).transfer.message).toBe('Q&amp;A');
  expect(await send(bo, { files, receivers: ['carl@example.org'] })).toMatchObject({ state: 'sent' });
});

test.each([
  ['is unchanged', '1', false],
  ['changes at its end', '2', true],
])('a history entry with a 100 KB message that %s is compared completely', async (_, end, isDifferent) => {
  const long = 'x'.repeat(100_000);
  const setMessage = (message: string) => void Object.assign(account.drops[0] ?? {}, { message });
  const { account, send, sourceFiles, work } = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      async createDispatch(parameters, options) {
        await exchange.createDispatch(parameters, options);
        if (account.drops.length > 1) setMessage(long + end);
      },
    }),
  });
  await work();
  const files = [sourceFiles.put('F1', 'a.txt', 'A')];
  await send(bo, { files, receivers: ['dora@example.net'] });
  setMessage(`${long}1`);
  const { state, details } = await send(anna, { files, receivers: ['carl@example.org'] });
  expect([state, details?.difference !== undefined]).toEqual(['sent', isDifferent]);
});
