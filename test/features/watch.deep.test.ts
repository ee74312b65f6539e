import { expect, test } from 'vitest';
import { disconnect } from '../../src/features/account/connect/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { holdOf } from '../../src/features/transfers/holds.ts';
import { confirmRequest, prepareRequest } from '../../src/features/transfers/kinds/request/operations.ts';
import { prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { admin, anna, bo } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { asking, asksInVain, cardText, draft, losesAnswer, outcomesOf, setUpWatch, textOf } from './watch.ts';

const postgres = startTestPostgres();

test('a history that cannot be read to the end proves nothing', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, server } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-before');
  server.addFault({ operation: 'get_history', kind: 'answer', times: 99, answer: { status: 500, body: 'no' } });
  await look(first.id);
  expect(textOf(await look(first.id))).toBe(
    `⚠️ Probably not sent: 1 file to carl@example.org. The service did not answer, and I could not check its history again. Ask a recipient before you send it again. (Reference ${first.id.slice(0, 8)})`,
  );
  expect(await outcomesOf(setup, first)).toEqual(['probably-not-sent']);
});

test('its file in a transfer to someone else raises an alarm and pauses sending', async () => {
  const setup = await setUpWatch(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      createDispatch: async (parameters) => {
        await exchange.setReceivers((await exchange.readContacts()).local.slice(2));
        await exchange.createDispatch({ ...parameters, message: 'other' });
      },
    }),
  });
  const { work, look, history, heard, server, account, store } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  expect(first.state).toBe('failed');
  history('all');
  expect(await look(first.id)).toMatchObject({ state: 'unknown', isSeen: false });
  expect(heard.alarms.map(({ kind }) => kind)).toEqual(['difference', 'outcome-unknown']);
  const hold = await holdOf(store.pool, `${server.url}/${account.user}`);
  expect(hold).toMatchObject({ dispatch: first.id, reason: 'difference' });
  await setup.drained();
});

test('an unknown transfer found as confirmed counts as sent and releases its hold', async () => {
  const setup = await setUpWatch(postgres, { server: { behaviour: { historyLag: 1_000_000 } } });
  const { work, look, history, heard, server, account, store } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  expect(textOf(first)).toMatch(/^⚠️ Not known whether it was sent: .*I'll keep checking the history until .* UTC\.$/);
  history('all');
  expect(textOf(await look(first.id))).toMatch(/^✅ Sent: .*I told you that this was unconfirmed\./);
  expect(heard.alarms.map(({ kind }) => kind)).toEqual(['outcome-unknown', 'found']);
  expect(await holdOf(store.pool, `${server.url}/${account.user}`)).toBeUndefined();
});

test('no watch is promised while the workspace leaves', async () => {
  const setup = await setUpWatch(postgres);
  const { server, shelf, work, heard, store } = setup;
  shelf.put('F1', 'plan.pdf', 'the plan');
  const lost = server.addFault({ operation: 'createdrop', kind: 'reset-before' });
  const stored = await store.credentials.get('T1');
  if (stored === undefined) throw new Error('it is not connected');
  void lost.struck.then(() => store.credentials.set('T1', { ...stored, leavingSince: Date.now() }));
  await work();
  const sent = await setup.send(anna, draft);
  expect(sent.details).toMatchObject({ result: { code: 'probably-not-sent' } });
  expect(sent.details?.watchedUntil).toBeUndefined();
  expect(heard.ended).toEqual([sent.id]);
});

test('a "not sent" by an older version stays, without a warning', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, store, services } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-before');
  const result = { code: 'not-sent', sentence: 'Nothing was sent.', names: [] };
  await transfersIn(store).revise(first.id, async () => ({ details: { result, watchedUntil: undefined } }));
  expect(textOf(await look(first.id))).toMatch(/^⚠️ Not sent: .* Nothing was sent\. \(Reference \w{8}\)$/);
  expect((await prepareSend(services, anna, draft)).earlier).toBeUndefined();
  await setup.drained();
});

test('the entry of the second try is not taken for the first', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, send, heard, account } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-before');
  const again = await send(anna, draft);
  expect(again).toMatchObject({ state: 'sent', isSeen: false });
  history('all');
  expect(textOf(await look(first.id))).toMatch(/^⚠️ Probably not sent/);
  expect(await look(again.id)).toMatchObject({ state: 'sent', isSeen: true });
  expect(textOf(await look(first.id))).toMatch(/^⚠️ Not sent/);
  expect(heard.alarms).toEqual([]);
  expect(account.drops).toHaveLength(1);
});

test('of two unanswered tries, the one closest in time gets the entry', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, store, heard } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-before');
  await store.pool.query("update dropline.dispatches set committed_at = now() - interval '1 hour'");
  const again = await losesAnswer(setup, 'reset-after');
  expect(textOf(again)).toMatch(/^⚠️ Probably not sent/);
  history('all');
  expect(await look(first.id)).toMatchObject({ state: 'failed' });
  expect(await look(again.id)).toMatchObject({ state: 'sent' });
  expect(textOf(await look(first.id))).toMatch(/^⚠️ Not sent/);
  expect(heard.alarms).toMatchObject([{ kind: 'found', transfer: again.id }]);
});

test('a try that turns up during a resend is reported as a duplicate afterwards', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, send, server, heard, ended } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  const held = server.addFault({ operation: 'createdrop', kind: 'delay' });
  const sending = send(anna, draft);
  await held.struck;
  history('all');
  expect(textOf(await look(first.id))).toMatch(/^⚠️ Probably not sent/); // it could be the other try's
  await held.release();
  expect(await sending).toMatchObject({ state: 'sent', isSeen: true });
  expect(await look(first.id)).toMatchObject({ state: 'sent', details: { duplicate: { isTold: true } } });
  expect((await ended(first.id)).details?.found).toBeDefined();
  expect(heard.alarms).toMatchObject([{ kind: 'duplicate', transfer: first.id }]);
});

test('an entry claimed by the first try is not claimed by the second', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, send, server, heard, account } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  const slow = server.addFault({ operation: 'upload', kind: 'delay' });
  server.addFault({ operation: 'createdrop', kind: 'reset-before' });
  const sending = send(anna, draft);
  await slow.struck;
  history('all');
  expect(await look(first.id)).toMatchObject({ state: 'sent' });
  await slow.release();
  expect(textOf(await sending)).toMatch(/^⚠️ Probably not sent/);
  expect(heard.alarms).toMatchObject([{ kind: 'found', transfer: first.id }]);
  expect(account.drops).toHaveLength(1);
});

test('the watch survives a restart, and notifying is retried until it succeeds', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, services, heard, ended } = setup;
  const runner = await work();
  const first = await losesAnswer(setup, 'reset-after');
  await runner.stop(0);
  let failures = 0;
  const alarm: typeof services.notifier.alarm = async (...args) => {
    failures += 1;
    if (failures === 1) throw new Error('Slack is away');
    await services.notifier.alarm(...args);
  };
  await work({ services: { ...services, notifier: { ...services.notifier, alarm } } });
  await look(first.id);
  history('all');
  expect(await look(first.id)).toMatchObject({ state: 'sent', notifiedAt: undefined });
  await look(first.id);
  await ended(first.id);
  expect(heard.alarms).toMatchObject([{ kind: 'found', transfer: first.id }]);
});

test('the watch ends when its workspace leaves', async () => {
  const setup = await setUpWatch(postgres);
  const { work, history, services, store, queue, heard } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  await disconnect(services, admin);
  history('all');
  await queue.hurry(`late-look ${first.id}`);
  await setup.drained();
  expect(await transfersIn(store).read(first.id)).toBeUndefined();
  expect(heard).toMatchObject({ ended: [first.id], alarms: [] });
});

test('a repeated request warns; if both turn up, sender and admin are notified', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, services, heard, ended } = setup;
  await changeSettings(services, admin, { requests: true });
  await work();
  const first = await asksInVain(setup);
  const { id, earlier } = await prepareRequest(services, anna, { ...asking, message: 'Please send all plans' });
  expect(earlier).toMatchObject({ id: first.id, state: 'unknown' });
  expect(await ended(await confirmRequest(services, anna, id))).toMatchObject({ state: 'sent' });
  history('all');
  expect(cardText(await look(first.id))).toMatch(
    /^⚠️ Asked 1 person for files twice: .*and you asked again\. Both requests went out, so they were asked twice\.$/,
  );
  expect(heard.alarms).toMatchObject([{ kind: 'duplicate', of: 'grant' }]);
});

test('if a transfer and its resend both turn up, sender and admin are notified', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, send, heard, account } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  const again = await send(anna, draft);
  expect(again).toMatchObject({ state: 'sent', isSeen: false, details: { earlier: [first.id] } });
  history('all');
  expect(textOf(await look(first.id))).toMatch(
    /^⚠️ Sent twice: .*and you sent it again\. Both were sent, so the recipients have it twice\.$/,
  );
  const other = await look(again.id);
  expect(other.isSeen).toBe(true);
  expect(textOf(other)).toMatch(/^⚠️ Sent twice: .*Your earlier try was sent too, so the recipients have/);
  expect(heard.alarms).toMatchObject([{ kind: 'duplicate', emails: ['carl@example.org'] }]);
  expect(await outcomesOf(setup, first)).toEqual(['duplicate', 'sent', 'probably-not-sent']);
  expect(account.drops).toHaveLength(2);
});

test('sending again warns of a duplicate until the watch ends', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, services, shelf } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-before');
  shelf.put('F2', 'map.png', 'the map');
  const warned = async (actor: typeof anna, more: object) =>
    (await prepareSend(services, actor, { ...draft, ...more })).earlier?.id;
  expect(await warned(anna, { message: 'Once more', files: ['F2', 'F1'] })).toBe(first.id);
  expect(await warned(anna, { files: ['F2'] })).toBeUndefined();
  expect(await warned(anna, { receivers: ['dora@example.net'] })).toBeUndefined();
  expect(await warned(bo, {})).toBeUndefined();
  await look(first.id);
  await look(first.id);
  expect(await warned(anna, {})).toBeUndefined();
});

test('an unknown request that turns up is reported to sender and admin', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, services, heard } = setup;
  await changeSettings(services, admin, { requests: true });
  await work();
  const first = await asksInVain(setup);
  expect(cardText(first)).toMatch(
    /^⚠️ Nobody knows whether carl@example\.org can upload files\. .* I'll keep checking the history until .* UTC\. If you ask again before then, they could be asked twice\.$/,
  );
  history('all');
  expect(cardText(await look(first.id))).toMatch(
    /^Asked 1 person for files: .*The history now shows that they were asked\. Don't ask again\.$/,
  );
  expect(heard.alarms).toMatchObject([{ kind: 'found', of: 'grant', transfer: first.id }]);
});
