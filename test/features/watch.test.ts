import { expect, test } from 'vitest';
import { prepareSend } from '../../src/features/send/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { admin, anna, bo } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { asksInVain, cardText, draft, losesAnswer, outcomesOf, setUpWatch, textOf } from './watch.ts';

const postgres = startTestPostgres();

test('a transfer is reported as not sent only when the watch has ended', async () => {
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

test('a transfer found after "probably not sent" is reported to sender and admin', async () => {
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

test('if a transfer and its resend both turn up, sender and admin are told', async () => {
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
