import { expect, test } from 'vitest';
import { disconnect } from '../../src/features/account/leave/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { holdOf } from '../../src/features/transfers/holds/repository.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmRequest, prepareRequest } from '../../src/features/transfers/request/operations.ts';
import { prepareSend } from '../../src/features/transfers/send/operations.ts';
import { admin, anna, bo } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import {
  cardText,
  draft,
  outcomesOf,
  requestDraft,
  requestWithLostAnswer,
  sendWithLostAnswer,
  setUpHistoryChecks,
} from './history-checks.ts';

const postgres = startTestPostgres();

test('a transfer stays "probably not sent" while the history is unreadable', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, server } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-before');
  server.addFault({ operation: 'get_history', kind: 'answer', times: 99, answer: { status: 500, body: 'no' } });
  await runCheck(first.id);
  expect(cardText(await runCheck(first.id))).toBe(
    `⚠️ Probably not sent: 1 file to carl@example.org. The service didn't confirm it, and I couldn't check its history again. Ask a recipient before you send it again. (Reference ${first.id.slice(0, 8)})`,
  );
  expect(await outcomesOf(setup, first)).toEqual(['probably-not-sent']);
});

test('if a history entry has our file but other recipients, an alarm and hold follow', async () => {
  const setup = await setUpHistoryChecks(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      createDispatch: async (parameters) => {
        await exchange.setReceivers((await exchange.readContacts()).local.slice(2));
        await exchange.createDispatch({ ...parameters, message: 'other' });
      },
    }),
  });
  const { startWorker, runCheck, showHistory, notifications, server, account, store } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-after');
  expect(first.state).toBe('failed');
  showHistory('all');
  expect(await runCheck(first.id)).toMatchObject({ state: 'unknown', isSeen: false });
  expect(notifications.alarms.map(({ kind }) => kind)).toEqual(['difference', 'outcome-unknown']);
  const hold = await holdOf(store.pool, `${server.url}/${account.user}`);
  expect(hold).toMatchObject({ transfer: first.id, reason: 'difference' });
  await setup.untilDrained();
});

test('an unconfirmed transfer found in the history counts as sent and ends its hold', async () => {
  const setup = await setUpHistoryChecks(postgres, { server: { behaviour: { historyLag: 1_000_000 } } });
  const { startWorker, runCheck, showHistory, notifications, server, account, store } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-after');
  expect(cardText(first)).toMatch(/^⚠️ Delivery unconfirmed: .*I'll keep checking the history until .* UTC\.$/);
  showHistory('all');
  expect(cardText(await runCheck(first.id))).toMatch(/^✅ Sent: .*I told you that this was unconfirmed\./);
  expect(notifications.alarms.map(({ kind }) => kind)).toEqual(['outcome-unknown', 'found']);
  expect(await holdOf(store.pool, `${server.url}/${account.user}`)).toBeUndefined();
});

test('no further history checks are planned while the workspace disconnects', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { server, sourceFiles, startWorker, notifications, store } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const lost = server.addFault({ operation: 'createdrop', kind: 'reset-before' });
  const stored = await store.credentials.get({ workspace: 'T1' });
  if (stored === undefined) throw new Error('T1 is not connected');
  void lost.triggered.then(() => store.credentials.set('T1', { ...stored, leavingSince: Date.now() }));
  await startWorker();
  const sent = await setup.send(anna, draft);
  expect(sent.progress).toMatchObject({ result: { code: 'probably-not-sent' } });
  expect(sent.progress.watchedUntil).toBeUndefined();
  expect(notifications.ended).toEqual([sent.id]);
});

test('a "not sent" result that is no longer checked stays and causes no warning', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, store, services } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-before');
  const result = { code: 'not-sent', message: 'Nothing was sent.', names: [] };
  await transfersIn(store).revise(first.id, async () => ({ progress: { result, watchedUntil: undefined } }));
  expect(cardText(await runCheck(first.id))).toMatch(/^⚠️ Not sent: .* Nothing was sent\. \(Reference \w{8}\)$/);
  expect((await prepareSend(services, anna, draft)).earlier).toBeUndefined();
  await setup.untilDrained();
});

test("an unanswered transfer isn't matched to the history entry of its resend", async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, showHistory, send, notifications, account } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-before');
  const again = await send(anna, draft);
  expect(again).toMatchObject({ state: 'sent', isSeen: false });
  showHistory('all');
  expect(cardText(await runCheck(first.id))).toMatch(/^⚠️ Probably not sent/);
  expect(await runCheck(again.id)).toMatchObject({ state: 'sent', isSeen: true });
  expect(cardText(await runCheck(first.id))).toMatch(/^⚠️ Not sent/);
  expect(notifications.alarms).toEqual([]);
  expect(account.drops).toHaveLength(1);
});

test('a history entry is matched to the unanswered attempt closest in time', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, showHistory, store, notifications } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-before');
  await store.pool.query("update dropline.transfers set committed_at = now() - interval '1 hour'");
  const again = await sendWithLostAnswer(setup, 'reset-after');
  expect(cardText(again)).toMatch(/^⚠️ Probably not sent/);
  showHistory('all');
  expect(await runCheck(first.id)).toMatchObject({ state: 'failed' });
  expect(await runCheck(again.id)).toMatchObject({ state: 'sent' });
  expect(cardText(await runCheck(first.id))).toMatch(/^⚠️ Not sent/);
  expect(notifications.alarms).toMatchObject([{ kind: 'found', transfer: again.id }]);
});

test('if the entry of a transfer appears during its resend, a duplicate is reported', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, showHistory, send, server, notifications, untilEnded } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-after');
  const delayedCommit = server.addFault({ operation: 'createdrop', kind: 'delay' });
  const sending = send(anna, draft);
  await delayedCommit.triggered;
  showHistory('all');
  // The history entry could belong to the other attempt.
  expect(cardText(await runCheck(first.id))).toMatch(/^⚠️ Probably not sent/);
  await delayedCommit.release();
  expect(await sending).toMatchObject({ state: 'sent', isSeen: true });
  expect(await runCheck(first.id)).toMatchObject({ state: 'sent', progress: { duplicate: { isNotified: true } } });
  expect((await untilEnded(first.id)).progress.found).toBeDefined();
  expect(notifications.alarms).toMatchObject([{ kind: 'duplicate', transfer: first.id }]);
});

test("a history entry matched to the first attempt isn't matched to the second", async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, showHistory, send, server, notifications, account } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-after');
  const slow = server.addFault({ operation: 'upload', kind: 'delay' });
  server.addFault({ operation: 'createdrop', kind: 'reset-before' });
  const sending = send(anna, draft);
  await slow.triggered;
  showHistory('all');
  expect(await runCheck(first.id)).toMatchObject({ state: 'sent' });
  await slow.release();
  expect(cardText(await sending)).toMatch(/^⚠️ Probably not sent/);
  expect(notifications.alarms).toMatchObject([{ kind: 'found', transfer: first.id }]);
  expect(account.drops).toHaveLength(1);
});

test('the history checks survive a restart, and a failed notification is retried', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, showHistory, services, notifications, untilEnded } = setup;
  const runner = await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-after');
  await runner.stop(0);
  let alarmCalls = 0;
  const alarm: typeof services.notifier.alarm = async (...args) => {
    alarmCalls += 1;
    if (alarmCalls === 1) throw new Error('Slack is unavailable');
    await services.notifier.alarm(...args);
  };
  await startWorker({ services: { ...services, notifier: { ...services.notifier, alarm } } });
  await runCheck(first.id);
  showHistory('all');
  expect(await runCheck(first.id)).toMatchObject({ state: 'sent', notifiedAt: undefined });
  await runCheck(first.id);
  await untilEnded(first.id);
  expect(notifications.alarms).toMatchObject([{ kind: 'found', transfer: first.id }]);
});

test('the history checks of a transfer end when its workspace disconnects', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, showHistory, services, store, queue, notifications } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-after');
  await disconnect(services, admin);
  showHistory('all');
  await queue.retryNow(`late-check ${first.id}`);
  await setup.untilDrained();
  expect(await transfersIn(store).read(first.id)).toBeUndefined();
  expect(notifications).toMatchObject({ ended: [first.id], alarms: [] });
});

test('repeating a request shows a warning; sender and admin learn if it was sent twice', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, showHistory, services, notifications, untilEnded } = setup;
  await changeSettings(services, admin, { requests: true });
  await startWorker();
  const first = await requestWithLostAnswer(setup);
  const { reviewId: id, earlier } = await prepareRequest(services, anna, {
    ...requestDraft,
    message: 'Please send all plans',
  });
  expect(earlier).toMatchObject({ id: first.id, state: 'unknown' });
  expect(await untilEnded((await confirmRequest(services, anna, id)).id)).toMatchObject({ state: 'sent' });
  showHistory('all');
  expect(cardText(await runCheck(first.id))).toMatch(
    /^⚠️ Requested files from 1 person twice: .*and you asked again\. Both requests went out, so they were asked twice\.$/,
  );
  expect(notifications.alarms).toMatchObject([{ kind: 'duplicate', noun: 'file request' }]);
});

test('if a transfer and its resend were both sent, sender and admin are notified', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, showHistory, send, notifications, account } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-after');
  const again = await send(anna, draft);
  expect(again).toMatchObject({ state: 'sent', isSeen: false, earlier: [first.id] });
  showHistory('all');
  expect(cardText(await runCheck(first.id))).toMatch(
    /^⚠️ Sent twice: .*and you sent it again\. Both were sent, so the recipients have it twice\.$/,
  );
  const other = await runCheck(again.id);
  expect(other.isSeen).toBe(true);
  expect(cardText(other)).toMatch(/^⚠️ Sent twice: .*Your earlier try was sent too, so the recipients have/);
  expect(notifications.alarms).toMatchObject([{ kind: 'duplicate', emails: ['carl@example.org'] }]);
  expect(await outcomesOf(setup, first)).toEqual(['duplicate', 'sent', 'probably-not-sent']);
  expect(account.drops).toHaveLength(2);
});

test('the review warns of a possible duplicate until the history checks end', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, services, sourceFiles } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-before');
  sourceFiles.put('F2', 'map.png', 'the map');
  const warningFor = async (actor: typeof anna, more: object) =>
    (await prepareSend(services, actor, { ...draft, ...more })).earlier?.id;
  expect(await warningFor(anna, { message: 'Once more', files: ['F2', 'F1'] })).toBe(first.id);
  expect(await warningFor(anna, { files: ['F2'] })).toBeUndefined();
  expect(await warningFor(anna, { recipients: ['dora@example.net'] })).toBeUndefined();
  expect(await warningFor(bo, {})).toBeUndefined();
  await runCheck(first.id);
  await runCheck(first.id);
  expect(await warningFor(anna, {})).toBeUndefined();
});

test('if a request with an unknown outcome is found, sender and admin are notified', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, showHistory, services, notifications } = setup;
  await changeSettings(services, admin, { requests: true });
  await startWorker();
  const first = await requestWithLostAnswer(setup);
  expect(cardText(first)).toMatch(
    /^⚠️ Request unconfirmed: carl@example\.org\. .* I'll keep checking the history until .* UTC\. If you ask again before then, they could be asked twice\.$/,
  );
  showHistory('all');
  expect(cardText(await runCheck(first.id))).toMatch(
    /^Requested files from 1 person: .*The history now shows that they were asked\. Don't ask again\.$/,
  );
  expect(notifications.alarms).toMatchObject([{ kind: 'found', noun: 'file request', transfer: first.id }]);
});
