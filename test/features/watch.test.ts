import { expect, test } from 'vitest';
import { disconnect } from '../../src/features/connect/operations.ts';
import { ledgerOf, type OpenTransfer, type Transfer } from '../../src/features/outgoing/ledger.ts';
import { confirmRequest, prepareRequest } from '../../src/features/request/prepare.ts';
import { requestCard } from '../../src/features/request/views-card.ts';
import { prepareDispatch } from '../../src/features/send/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { admin, anna, bo } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { losesAnswer, outcomesOf, setUpWatch, textOf, type WatchSetup, wish } from './watch.ts';

const postgres = startTestPostgres();

test('what was probably not sent is told as not sent only when the watch has ended', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, heard } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-before');
  expect(textOf(first)).toMatch(
    /^⚠️ Probably not sent: 1 file to carl@example\.org\. The service did not answer, and its history does not show this transfer\. \(Reference \w{8}\) I'll keep checking the history until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. If you send it again before then, the recipients could get it twice\.$/,
  );
  expect(textOf(await look(first.id))).toBe(textOf(first));
  expect(heard.ended).toEqual([first.id]);
  expect(textOf(await look(first.id))).toBe(
    `⚠️ Not sent: 1 file to carl@example.org. The service did not answer, and its history still does not show this transfer. You can send it again. (Reference ${first.id.slice(0, 8)})`,
  );
  expect(heard.ended).toEqual([first.id, first.id]);
  expect(await outcomesOf(setup, first)).toEqual(['not-sent', 'probably-not-sent']);
  await setup.drained();
  expect(heard.alarms).toEqual([]);
});

test('what turns up although it was probably not sent is told to sender and admin', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, heard, account } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  expect(first).toMatchObject({ state: 'failed', details: { result: { code: 'probably-not-sent' } } });
  history('all');
  const later = await look(first.id);
  expect(later).toMatchObject({ state: 'sent', isSeen: true });
  expect(textOf(later)).toBe(
    "✅ Sent: 1 file to carl@example.org. I told you that this was probably not sent. The history now shows that it was sent. Don't send it again.",
  );
  expect(heard.ended).toEqual([first.id, first.id]);
  expect(heard.alarms).toMatchObject([{ kind: 'found', transfer: first.id, emails: ['carl@example.org'] }]);
  expect(await outcomesOf(setup, first)).toEqual(['sent', 'probably-not-sent']);
  await setup.drained();
  expect(account.drops).toHaveLength(1);
});

test('where it was sent again and both turn up, sender and admin learn of two', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, send, heard, account } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  const again = await send(anna, wish);
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

test('an entry of the second try is not taken for the first', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, send, heard, account } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-before');
  const again = await send(anna, wish);
  expect(again).toMatchObject({ state: 'sent', isSeen: false });
  history('all');
  expect(textOf(await look(first.id))).toMatch(/^⚠️ Probably not sent/);
  expect(await look(again.id)).toMatchObject({ state: 'sent', isSeen: true });
  expect(textOf(await look(first.id))).toMatch(/^⚠️ Not sent/);
  expect(heard.alarms).toEqual([]);
  expect(account.drops).toHaveLength(1);
});

test('of two tries without an answer, the one closest in time gets the entry', async () => {
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

test('what turns up while it is being sent again is told as two once that has ended', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, send, server, heard, ended } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  const held = server.addFault({ operation: 'createdrop', kind: 'delay' });
  const sending = send(anna, wish);
  await held.struck;
  history('all');
  expect(textOf(await look(first.id))).toMatch(/^⚠️ Probably not sent/); // it could be the other's
  await held.release();
  expect(await sending).toMatchObject({ state: 'sent', isSeen: true });
  expect(await look(first.id)).toMatchObject({ state: 'sent', details: { duplicate: { isTold: true } } });
  expect((await ended(first.id)).details?.found).toBeDefined();
  expect(heard.alarms).toMatchObject([{ kind: 'duplicate', transfer: first.id }]);
});

test('what turned up as the first try is not taken for the second one too', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, send, server, heard, account } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  const slow = server.addFault({ operation: 'upload', kind: 'delay' });
  server.addFault({ operation: 'createdrop', kind: 'reset-before' });
  const sending = send(anna, wish);
  await slow.struck;
  history('all');
  expect(await look(first.id)).toMatchObject({ state: 'sent' });
  await slow.release();
  expect(textOf(await sending)).toMatch(/^⚠️ Probably not sent/);
  expect(heard.alarms).toMatchObject([{ kind: 'found', transfer: first.id }]);
  expect(account.drops).toHaveLength(1);
});

test('sending again warns of a duplicate until the watch ends', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, services, shelf } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-before');
  shelf.put('F2', 'map.png', 'the map');
  const warned = async (actor: typeof anna, more: object) =>
    (await prepareDispatch(services, actor, { ...wish, ...more })).earlier?.id;
  expect(await warned(anna, { message: 'Once more', files: ['F2', 'F1'] })).toBe(first.id);
  expect(await warned(anna, { files: ['F2'] })).toBeUndefined();
  expect(await warned(anna, { receivers: ['dora@example.net'] })).toBeUndefined();
  expect(await warned(bo, {})).toBeUndefined();
  await look(first.id);
  await look(first.id);
  expect(await warned(anna, {})).toBeUndefined();
});

test('the watch goes on after a restart, and telling is repeated until it succeeds', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, history, services, heard, ended } = setup;
  const runner = await work();
  const first = await losesAnswer(setup, 'reset-after');
  await runner.stop(0);
  let failures = 0;
  const alarm: typeof services.audience.alarm = async (...told) => {
    failures += 1;
    if (failures === 1) throw new Error('Slack is away');
    await services.audience.alarm(...told);
  };
  await work({ services: { ...services, audience: { ...services.audience, alarm } } });
  await look(first.id);
  history('all');
  expect(await look(first.id)).toMatchObject({ state: 'sent', toldAt: undefined });
  await look(first.id);
  await ended(first.id);
  expect(heard.alarms).toMatchObject([{ kind: 'found', transfer: first.id }]);
});

test('a workspace that leaves takes its watch along', async () => {
  const setup = await setUpWatch(postgres);
  const { work, history, services, store, queue, heard } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  await disconnect(services, admin);
  history('all');
  await queue.hurry(`late-look ${first.id}`);
  await setup.drained();
  expect(await ledgerOf(store).read(first.id)).toBeUndefined();
  expect(heard).toMatchObject({ ended: [first.id], alarms: [] });
});

const asking = { receivers: ['carl@example.org'], groups: [], message: 'Please send the plans', timeToLive: 3 };

/** Asks for files without getting an answer, after it was carried out. */
async function asksInVain({ services, server, ended }: WatchSetup): Promise<Transfer> {
  server.addFault({ operation: 'givedrop', kind: 'reset-after' });
  const { id } = await prepareRequest(services, anna, asking);
  return ended(await confirmRequest(services, anna, id));
}

const cardText = (transfer: Transfer) => requestCard(transfer as OpenTransfer, 'days').text;

test('a request that nobody knew of and that turns up is told to sender and admin', async () => {
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

test('asking again warns, and where both turn up sender and admin learn of two', async () => {
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
