import { expect, test } from 'vitest';
import { pause } from '../../src/features/pause/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { cancelTransfer } from '../../src/features/transfers/lifecycle/operations.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { prepareRequest } from '../../src/features/transfers/request/operations.ts';
import { confirmSend, prepareAgain, prepareSend } from '../../src/features/transfers/send/operations.ts';
import { bounds } from '../../src/lib/bounds.ts';
import { failureOf } from '../helpers/exchange.ts';
import { admin, anna, bo, type FeaturesSetup, setUpFeatures, sha256, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { queueTransfer } from './queue-transfer.ts';

const postgres = startTestPostgres();

test('exactly what the sender confirmed is sent, and no upload or recipient is left', async () => {
  const { account, sourceFiles, send, startWorker, notifications, server } = await setUpFeatures(postgres);
  await startWorker();
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan'), sourceFiles.put('F2', 'plan.pdf', 'another plan')];
  const { state, id } = await send(anna, { files, recipients: ['emil@example.com'], groups: ['board'], message: 'Hi' });
  expect(state).toBe('sent');
  expect(account.drops).toHaveLength(1);
  const [transfer] = account.drops;
  expect(transfer).toMatchObject({ message: 'Hi', ttl: 7 });
  expect(transfer?.receivers.map(({ email }) => email)).toEqual([
    'emil@example.com',
    'carl@example.org',
    'dora@example.net',
  ]);
  expect(transfer?.files.map(({ name, sha256: sum }) => [name, sum])).toEqual([
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

test('a review names the contact with too much data for a transfer', async () => {
  const { account, services, sourceFiles } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  const [carl] = account.contacts.local;
  Object.assign(carl ?? {}, { photo: 'x'.repeat(bounds.recipientBytes) });
  const draft = { recipients: ['dora@example.net'], groups: ['board'], message: 'Hi', expiresAfter: 7 };
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan')];
  const refused = { code: 'invalid', field: 'recipients', message: expect.stringContaining('about carl@example.org.') };
  await expect(prepareSend(services, anna, { ...draft, files })).rejects.toMatchObject(refused);
  await expect(prepareRequest(services, anna, draft)).rejects.toMatchObject(refused);
  await prepareSend(services, anna, { ...draft, files, groups: [] });
});

test('if the cleanup after a transfer fails, the next transfer cleans up first', async () => {
  const behaviour = { uploadsAfterDispatch: 'kept' } as const;
  const { account, sourceFiles, send, startWorker, server } = await setUpFeatures(postgres, { server: { behaviour } });
  await startWorker();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  sourceFiles.put('F2', 'map.png', 'the map');
  const commit = server.addFault({ operation: 'createdrop', kind: 'delay' });
  const sending = send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  await commit.triggered;
  const answer = { status: 503, body: 'no' };
  const down = server.addFault({ operation: 'get_files', kind: 'answer', times: 100, answer });
  await commit.release();
  expect(await sending).toMatchObject({ state: 'sent' });
  expect(account.uploads.map(({ name }) => name)).toEqual(['plan.pdf']);
  down.remove();
  expect(await send(anna, { files: ['F2'], recipients: ['carl@example.org'] })).toMatchObject({ state: 'sent' });
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf'], ['map.png']]);
});

test('a review can be confirmed once, and only by the person who opened it', async () => {
  const { services, sourceFiles, startWorker, untilEnded, account } = await setUpFeatures(postgres);
  const draft = {
    recipients: ['carl@example.org'],
    groups: [],
    files: [sourceFiles.put('F1', 'a.txt', 'A')],
    message: '',
    expiresAfter: 1,
  };
  const { reviewId } = await prepareSend(services, anna, draft);
  expect(await failureOf(confirmSend(services, bo, reviewId))).toMatchObject({ code: 'not-found' });
  expect(await failureOf(confirmSend(services, anna, 'not-an-id'))).toMatchObject({ code: 'not-found' });
  const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => confirmSend(services, anna, reviewId)));
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await failureOf(confirmSend(services, anna, reviewId))).toMatchObject({ code: 'used' });
  await startWorker();
  await untilEnded(reviewId);
  expect(account.drops).toHaveLength(1);
});

test('of several reviews in one modal, only one can be confirmed', async () => {
  const { services, sourceFiles } = await setUpFeatures(postgres);
  const files = [sourceFiles.put('F1', 'a.txt', 'A')];
  const draft = { recipients: ['carl@example.org'], groups: [], files, message: '', expiresAfter: 1 };
  // If Slack gets its answers too late, the person submits the form again, and sees one review after the other.
  const first = await prepareSend(services, anna, draft);
  const second = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, first.reviewId, { form: 'V1' });
  expect(await failureOf(confirmSend(services, anna, second.reviewId, { form: 'V1' }))).toMatchObject({ code: 'used' });
  await confirmSend(services, anna, second.reviewId, { form: 'V2' });
});

test('the sender can cancel a queued transfer, but not a sent one', async () => {
  const { services, sourceFiles, startWorker, untilEnded, account, send } = await setUpFeatures(postgres);
  const draft = {
    recipients: ['carl@example.org'],
    groups: [],
    files: [sourceFiles.put('F1', 'a.txt', 'A')],
    message: '',
    expiresAfter: 1,
  };
  const { reviewId } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, reviewId);
  expect(await failureOf(cancelTransfer(services, bo, reviewId))).toMatchObject({ code: 'not-allowed' });
  const otherAdmin = { workspace: 'T2', person: 'U-admin' };
  expect(await failureOf(cancelTransfer(services, otherAdmin, reviewId))).toMatchObject({ code: 'not-found' });
  await cancelTransfer(services, anna, reviewId);
  await startWorker();
  expect(await untilEnded(reviewId)).toMatchObject({ state: 'cancelled', cancelledBy: anna.person });
  expect(account.drops).toEqual([]);
  const { id } = await send(anna, { recipients: ['carl@example.org'], files: ['F1'] });
  expect(await failureOf(cancelTransfer(services, anna, id))).toMatchObject({ code: 'too-late' });
});

test('if a transfer is cancelled during an upload, no file is sent', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, account, startWorker, untilEnded } = setup;
  const delay = server.addFault({ operation: 'upload', kind: 'delay' });
  const id = await queueTransfer(setup);
  await startWorker();
  await delay.triggered;
  await cancelTransfer(services, anna, id);
  expect(await untilEnded(id)).toMatchObject({ state: 'cancelled' });
  await delay.release();
  expect(account).toMatchObject({ drops: [], receivers: [] });
});

test('a transfer can be cancelled until its commit begins, but not afterwards', async () => {
  let cancel = async () => {};
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      // Once recipients are set, this is the last call before createDispatch.
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
  const { services, account, startWorker, untilEnded } = setup;
  await startWorker(withoutTimer(setup));
  const first = await queueTransfer(setup);
  cancel = () => cancelTransfer(services, anna, first);
  expect(await untilEnded(first)).toMatchObject({ state: 'cancelled' });
  expect(account.drops).toEqual([]);
  cancel = async () => {};
  const second = await queueTransfer(setup);
  const attempts: unknown[] = [];
  cancel = async () => {
    if ((await transfersIn(services.store).read(second))?.state === 'committing')
      attempts.push((await failureOf(cancelTransfer(services, anna, second))).code);
  };
  expect(await untilEnded(second)).toMatchObject({ state: 'sent' });
  expect(attempts).toEqual(['too-late']);
});

/** Checks for a cancellation only before calls and at the commit, never on a timer. */
const withoutTimer = ({ services }: FeaturesSetup) => ({
  services: { ...services, timing: { ...services.timing, stateCheckMs: 60_000 } },
});

test("after a transfer is cancelled, its remaining files aren't uploaded", async () => {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, server, startWorker, untilEnded } = setup;
  const files = [sourceFiles.put('F1', 'a.txt', 'A'), sourceFiles.put('F2', 'b.txt', 'B')];
  const draft = { recipients: ['carl@example.org'], groups: [], files, message: '', expiresAfter: 1 };
  const { reviewId } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, reviewId);
  const delay = server.addFault({ operation: 'upload', kind: 'delay' });
  await startWorker(withoutTimer(setup));
  await delay.triggered;
  await cancelTransfer(services, anna, reviewId);
  await delay.release();
  expect(await untilEnded(reviewId)).toMatchObject({ state: 'cancelled' });
  expect(server.calls.filter(({ operation }) => operation === 'upload')).toHaveLength(1);
});

test("a pause or a cancellation right before an upload isn't a failed upload", async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, startWorker, queue } = setup;
  const stateAfter = async (interrupt: (id: string) => Promise<unknown>) => {
    const id = await queueTransfer(setup);
    // The last call before the first upload.
    const delay = server.addFault({ operation: 'get_history', kind: 'delay' });
    const runner = await startWorker(withoutTimer(setup));
    await delay.triggered;
    await interrupt(id);
    await delay.release();
    await until(async () => ((await queue.size()) === 0 ? true : undefined), 'the job to end');
    await runner.stop();
    return (await transfersIn(services.store).read(id))?.state;
  };
  expect(await stateAfter((id) => cancelTransfer(services, anna, id))).toBe('cancelled');
  expect(await stateAfter(() => pause(services, admin, 'sending', 'Now'))).toBe('waiting');
});

/** Sends a file. Calls `work` once the commit waits for the transfer's row, which is locked until `work` is done. */
async function sendAndInterrupt(work: (setup: FeaturesSetup) => Promise<{ cancelledBy: string } | undefined>) {
  let working: Promise<unknown> | undefined;
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      listFiles: async (options) => {
        const listed = await exchange.listFiles(options);
        // Once recipients are set, this is the last call before the commit.
        if (setup.account.receivers.length > 0 && working === undefined) {
          await new Promise<void>((locked) => {
            working = transfersIn(setup.store).change(id, async () => {
              locked();
              await until(isCommitWaiting, 'the commit to wait for the row');
              return work(setup);
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
  await setup.startWorker(withoutTimer(setup));
  await until(async () => ((await setup.queue.size()) === 0 ? true : undefined), 'the job to end');
  await working;
  const transfer = await transfersIn(setup.store).read(id);
  return { state: transfer?.state, transfers: setup.account.drops };
}

test("if a transfer is cancelled just before the commit, it isn't sent", async () => {
  const sent = await sendAndInterrupt(async () => ({ cancelledBy: anna.person }));
  expect(sent).toEqual({ state: 'cancelled', transfers: [] });
});

test("if sending is paused just before the commit, the transfer waits and isn't sent", async () => {
  const sent = await sendAndInterrupt(async ({ services }) => {
    await pause(services, admin, 'sending', 'Now');
    return undefined;
  });
  expect(sent).toEqual({ state: 'waiting', transfers: [] });
});

test("a file that can't be read stops the transfer; the others can be sent without it", async () => {
  const { services, sourceFiles, startWorker, send, untilEnded, account } = await setUpFeatures(postgres);
  await startWorker();
  const files = [
    sourceFiles.put('F1', 'good.txt', 'good'),
    sourceFiles.put('F2', 'bad.txt', 'is cut', { failsAfter: 2 }),
  ];
  const failed = await send(anna, { files, recipients: ['carl@example.org'] });
  expect(failed).toMatchObject({ state: 'failed', progress: { result: { code: 'file-failed', names: ['bad.txt'] } } });
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
  const { reviewId, files: remaining } = await prepareAgain(services, anna, failed.id, { without: ['bad.txt'] });
  expect(remaining.map(({ name }) => name)).toEqual(['good.txt']);
  const { id } = await confirmSend(services, anna, reviewId);
  expect(await untilEnded(id)).toMatchObject({ state: 'sent' });
  expect(account.drops.map((transfer) => transfer.files.map(({ name }) => name))).toEqual([['good.txt']]);
  const secondAttempt = await prepareAgain(services, anna, failed.id, { without: ['bad.txt'] });
  expect(await failureOf(confirmSend(services, anna, secondAttempt.reviewId))).toMatchObject({
    code: 'used',
    message: expect.stringContaining('already tried again'),
  });
  expect(account.drops).toHaveLength(1);
});
