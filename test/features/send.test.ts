import { expect, test } from 'vitest';
import { confirmSend, prepareAgain, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import { cancelTransfer } from '../../src/features/transfers/operations.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { failureOf } from '../helpers/exchange.ts';
import { anna, bo, type FeaturesSetup, setUpFeatures, sha256, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { queueTransfer } from './queue-transfer.ts';

const postgres = startTestPostgres();

test('exactly what the sender confirmed is sent, and no upload or recipient is left', async () => {
  const { account, sourceFiles, send, work, notifications, server } = await setUpFeatures(postgres);
  await work();
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan'), sourceFiles.put('F2', 'plan.pdf', 'another plan')];
  const { state, id } = await send(anna, { files, receivers: ['emil@example.com'], groups: ['board'], message: 'Hi' });
  expect(state).toBe('sent');
  expect(account.drops).toHaveLength(1);
  const [drop] = account.drops;
  expect(drop).toMatchObject({ message: 'Hi', ttl: 7 });
  expect(drop?.receivers.map(({ email }) => email)).toEqual([
    'emil@example.com',
    'carl@example.org',
    'dora@example.net',
  ]);
  expect(drop?.files.map(({ name, sha256: sum }) => [name, sum])).toEqual([
    ['plan.pdf', sha256('the plan')],
    ['plan (2).pdf', sha256('another plan')],
  ]);
  expect(account.uploads).toEqual([]);
  expect(account.receivers).toEqual([]);
  expect(notifications.ended).toEqual([id]);
  expect(notifications.alarms).toEqual([]);
  expect(server.calls.filter(({ operation }) => operation === 'createdrop')).toHaveLength(1);
  const phases = notifications.progress.map(({ phase }) => phase);
  expect(phases.filter((phase, index) => phase !== phases[index - 1])).toEqual([
    'checking',
    'uploading',
    'committing',
    'sent',
    'cleaning',
  ]);
  expect(notifications.progress.find(({ phase }) => phase === 'sent')).toMatchObject({
    files: 2,
    bytes: 20,
    totalBytes: 20,
  });
});

test('a review can be confirmed once, and only by the person who opened it', async () => {
  const { services, sourceFiles, work, ended, account } = await setUpFeatures(postgres);
  const draft = {
    receivers: ['carl@example.org'],
    groups: [],
    files: [sourceFiles.put('F1', 'a.txt', 'A')],
    message: '',
    timeToLive: 1,
  };
  const { confirmation } = await prepareSend(services, anna, draft);
  expect(await failureOf(confirmSend(services, bo, confirmation))).toMatchObject({ code: 'not-found' });
  const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => confirmSend(services, anna, confirmation)));
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await failureOf(confirmSend(services, anna, confirmation))).toMatchObject({ code: 'used' });
  await work();
  await ended(confirmation);
  expect(account.drops).toHaveLength(1);
});

test('the sender can cancel a queued transfer, but not a sent one', async () => {
  const { services, sourceFiles, work, ended, account, send } = await setUpFeatures(postgres);
  const draft = {
    receivers: ['carl@example.org'],
    groups: [],
    files: [sourceFiles.put('F1', 'a.txt', 'A')],
    message: '',
    timeToLive: 1,
  };
  const { confirmation } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, confirmation);
  expect(await failureOf(cancelTransfer(services, bo, confirmation))).toMatchObject({ code: 'not-allowed' });
  const otherAdmin = { workspace: 'T2', person: 'U-admin' };
  expect(await failureOf(cancelTransfer(services, otherAdmin, confirmation))).toMatchObject({ code: 'not-found' });
  await cancelTransfer(services, anna, confirmation);
  await work();
  expect(await ended(confirmation)).toMatchObject({ state: 'cancelled', cancelledBy: anna.person });
  expect(account.drops).toEqual([]);
  const { id } = await send(anna, { receivers: ['carl@example.org'], files: ['F1'] });
  expect(await failureOf(cancelTransfer(services, anna, id))).toMatchObject({ code: 'too-late' });
});

test('cancelling a transfer during an upload sends no file', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, account, work, ended } = setup;
  const delay = server.addFault({ operation: 'upload', kind: 'delay' });
  const id = await queueTransfer(setup);
  await work();
  await delay.triggered;
  await cancelTransfer(services, anna, id);
  expect(await ended(id)).toMatchObject({ state: 'cancelled' });
  await delay.release();
  expect(account).toMatchObject({ drops: [], receivers: [] });
});

test('a transfer can be cancelled until createdrop, but not after', async () => {
  let cancel = async () => {};
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      // The last call before createDispatch, once recipients are set.
      listFiles: async (options) => {
        const listed = await exchange.listFiles(options);
        if (setup.account.receivers.length > 0) await cancel();
        return listed;
      },
      createDispatch: async (parameters, options) => {
        await cancel();
        return exchange.createDispatch(parameters, options);
      },
    }),
  });
  const { services, account, work, ended } = setup;
  await work(withoutTimer(setup));
  const first = await queueTransfer(setup);
  cancel = () => cancelTransfer(services, anna, first);
  expect(await ended(first)).toMatchObject({ state: 'cancelled' });
  expect(account.drops).toEqual([]);
  cancel = async () => {};
  const second = await queueTransfer(setup);
  const attempts: unknown[] = [];
  cancel = async () => {
    if ((await transfersIn(services.store).read(second))?.state === 'committing')
      attempts.push((await failureOf(cancelTransfer(services, anna, second))).code);
  };
  expect(await ended(second)).toMatchObject({ state: 'sent' });
  expect(attempts).toEqual(['too-late']);
});

/** Checks for a cancellation only before calls and at the commit, never on a timer. */
const withoutTimer = ({ services }: FeaturesSetup) => ({
  services: { ...services, timing: { ...services.timing, stateCheckMs: 60_000 } },
});

test('cancelling a transfer stops its next uploads', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, server, work, ended } = setup;
  const files = [sourceFiles.put('F1', 'a.txt', 'A'), sourceFiles.put('F2', 'b.txt', 'B')];
  const draft = { receivers: ['carl@example.org'], groups: [], files, message: '', timeToLive: 1 };
  const { confirmation } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, confirmation);
  const delay = server.addFault({ operation: 'upload', kind: 'delay' });
  await work(withoutTimer(setup));
  await delay.triggered;
  await cancelTransfer(services, anna, confirmation);
  await delay.release();
  expect(await ended(confirmation)).toMatchObject({ state: 'cancelled' });
  expect(server.calls.filter(({ operation }) => operation === 'upload')).toHaveLength(1);
});

test("a transfer that is cancelled just before the commit isn't sent", async () => {
  let cancelling: Promise<unknown> | undefined;
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      listFiles: async (options) => {
        const listed = await exchange.listFiles(options);
        // The last call before the commit. Lock the row until the commit waits for it.
        if (setup.account.receivers.length > 0 && cancelling === undefined) {
          await new Promise<void>((locked) => {
            cancelling = transfersIn(setup.store).change(id, async () => {
              locked();
              await until(isCommitWaiting, 'the commit to wait for the row');
              return { cancelledBy: anna.person };
            });
          });
        }
        return listed;
      },
    }),
  });
  const isCommitWaiting = async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await setup.store.pool.query(waiting)).rowCount === 0 ? undefined : true;
  };
  const id = await queueTransfer(setup);
  await setup.work(withoutTimer(setup));
  expect(await setup.ended(id)).toMatchObject({ state: 'cancelled' });
  await cancelling;
  expect(setup.account.drops).toEqual([]);
});

test("a file that can't be read stops the transfer; the others can be sent without it", async () => {
  const { services, sourceFiles, work, send, ended, account } = await setUpFeatures(postgres);
  await work();
  const files = [
    sourceFiles.put('F1', 'good.txt', 'good'),
    sourceFiles.put('F2', 'bad.txt', 'is cut', { failsAfter: 2 }),
  ];
  const failed = await send(anna, { files, receivers: ['carl@example.org'] });
  expect(failed).toMatchObject({ state: 'failed', details: { result: { code: 'file-failed', names: ['bad.txt'] } } });
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
  const { confirmation, files: remaining } = await prepareAgain(services, anna, failed.id, { without: ['bad.txt'] });
  expect(remaining.map(({ name }) => name)).toEqual(['good.txt']);
  const { id } = await confirmSend(services, anna, confirmation);
  expect(await ended(id)).toMatchObject({ state: 'sent' });
  expect(account.drops.map((drop) => drop.files.map(({ name }) => name))).toEqual([['good.txt']]);
  const secondAttempt = await prepareAgain(services, anna, failed.id, { without: ['bad.txt'] });
  expect(await failureOf(confirmSend(services, anna, secondAttempt.confirmation))).toMatchObject({
    code: 'used',
    message: expect.stringContaining('already tried again'),
  });
  expect(account.drops).toHaveLength(1);
});
