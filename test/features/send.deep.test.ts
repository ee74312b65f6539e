import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readHistoryPage, readPastTransfer } from '../../src/features/history/operations.ts';
import { setHold } from '../../src/features/transfers/holds/repository.ts';
import { cancelTransfer } from '../../src/features/transfers/lifecycle/operations.ts';
import { anna, bo, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { queueTransfer } from './queue-transfer.ts';

const postgres = startTestPostgres();

test('if the account is on hold, a cancelled transfer is reported as cancelled', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store, server, account, startWorker, untilEnded } = setup;
  const id = await queueTransfer(setup);
  await setHold(store.pool, { id: randomUUID(), workspace: 'T1', account: `${server.url}/${account.user}` }, 'unknown');
  await cancelTransfer(services, anna, id);
  await startWorker();
  expect(await untilEnded(id)).toMatchObject({ state: 'cancelled' });
});

test('if a transfer is cancelled while it waits for a retry, it ends immediately', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store, startWorker, untilEnded } = setup;
  const id = await queueTransfer(setup);
  await store.pool.query(`update graphile_worker._private_jobs set run_at = now() + interval '6 hours', attempts = 12`);
  await startWorker();
  await cancelTransfer(services, anna, id);
  expect(await untilEnded(id)).toMatchObject({ state: 'cancelled' });
});

test('if the service rewrites the message, no alarm is raised', async () => {
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
  const { send, sourceFiles, startWorker, notifications, services } = setup;
  await startWorker();
  const files = [sourceFiles.put('F1', 'a.txt', 'A')];
  expect(await send(anna, { files, recipients: ['carl@example.org'], message: 'Q&A' })).toMatchObject({
    state: 'sent',
  });
  expect(notifications.alarms).toEqual([]);
  const [entry] = (await readHistoryPage(services, anna)).entries;
  expect((await readPastTransfer(services, anna, entry?.id ?? '')).transfer.message).toBe('Q&amp;A');
  expect(await send(bo, { files, recipients: ['carl@example.org'] })).toMatchObject({ state: 'sent' });
});

test.each([
  ['is unchanged', '1', false],
  ['changes at its end', '2', true],
])('if a 100 KB message %s, its history entry is compared completely', async (_, end, isDifferent) => {
  const long = 'x'.repeat(100_000);
  const setMessage = (message: string) => void Object.assign(account.drops[0] ?? {}, { message });
  const { account, send, sourceFiles, startWorker } = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      async createDispatch(parameters, options) {
        await exchange.createDispatch(parameters, options);
        if (account.drops.length > 1) setMessage(long + end);
      },
    }),
  });
  await startWorker();
  const files = [sourceFiles.put('F1', 'a.txt', 'A')];
  await send(bo, { files, recipients: ['dora@example.net'] });
  setMessage(`${long}1`);
  const { state, progress } = await send(anna, { files, recipients: ['carl@example.org'] });
  expect([state, progress.difference !== undefined]).toEqual(['sent', isDifferent]);
});

test("a database error right before an upload is retried and isn't a failed upload", async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store, server, startWorker, untilEnded } = setup;
  const id = await queueTransfer(setup);
  // The last call before the first upload.
  const delay = server.addFault({ operation: 'get_history', kind: 'delay' });
  await startWorker({ services: { ...services, timing: { ...services.timing, stateCheckMs: 60_000 } } });
  await delay.triggered;
  await store.pool.query('alter table dropline.pauses rename to unavailable');
  await delay.release();
  const hasFailed = 'select from graphile_worker.jobs where last_error is not null';
  await until(async () => (await store.pool.query(hasFailed)).rowCount || undefined, 'the job to fail');
  await store.pool.query('alter table dropline.unavailable rename to pauses');
  await services.queue.retryNow(`send ${id}`);
  expect(await untilEnded(id)).toMatchObject({ state: 'sent' });
});
