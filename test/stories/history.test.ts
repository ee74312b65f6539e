import { expect, test } from 'vitest';
import { readHistoryPage, readPastTransfer } from '../../src/features/history/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { failureOf, sentEntry } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';
import { reviews } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();

test('people find the transfers they sent; admins find all, with their senders', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, acme, account, services } = setup;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { expiryUnit: 'days', expiryDefault: 7 });
  await sendFile(setup, bo, 'plan.pdf', { message: 'The plan, as promised' });
  await sendFile(setup, anna, 'map.png', { recipients: ['dora@example.net'] });
  expect(account.drops).toHaveLength(2);

  await bo.types('/drop history', { in: '#general' });
  await bo.sees('Your transfers, newest first. 2 active links.');
  await bo.sees('plan.pdf');
  expect(bo.screen()).not.toContain('map.png');
  await bo.clicks('Details of plan.pdf');
  await bo.sees('carl@example.org (Carl) · Mobile 46700000001');
  for (const text of ['Expires ', 'The plan, as promised']) await bo.sees(text);
  await bo.sees("Downloads aren't tracked");
  await bo.sees("Transfers can't be recalled");
  await bo.clicks('Back');
  await bo.sees('Your transfers');

  await anna.types('/drop history plan', { in: '#general' });
  await anna.sees('1 of 1');
  await anna.sees(/Sent .* by @Bo/);
  await anna.fills('Search', '');
  await anna.submits('Search');
  await anna.sees('1 to 2 of 2');
  await anna.fills('Search', 'nobody@example.org');
  await anna.submits('Search');
  await anna.sees('No results for “nobody@example.org”.');
});

test('a long history is paginated, and members can read only their own transfers', async () => {
  const { anna, bo, account, services, acme } = await setUpApp(postgres);
  account.drops = Array.from({ length: 20 }, (_, number) => sentEntry(number));
  await anna.types('/drop history', { in: '#general' });
  await anna.sees('1 to 8 of 20');
  await anna.sees('19.txt');
  await anna.clicks('Older');
  await anna.sees('9 to 16 of 20');
  await anna.clicks('Older');
  await anna.sees('17 to 20 of 20');
  await anna.sees('0.txt');
  await anna.clicks('Newer');
  await anna.sees('9 to 16 of 20');

  const actor = { workspace: acme.id, person: anna.id };
  const id = (await readHistoryPage(services, actor)).entries[0]?.id ?? '';
  expect((await readPastTransfer(services, actor, id)).transfer.files).toEqual([{ name: '19.txt' }]);
  const member = { workspace: acme.id, person: bo.id };
  expect(await failureOf(readPastTransfer(services, member, id))).toMatchObject({ code: 'not-found' });
});

test('the history shows what was not sent, and one can edit what was theirs', async () => {
  const { anna, bo } = await setUpApp(postgres, { timing: { longestUndoMs: 600_000 } });
  await reviews(bo, { attached: [{ name: 'plan.pdf', data: 'the plan' }] });
  await bo.submits('Send 1 file to 1 person');
  await bo.clicks('Undo');
  await bo.sees('Your draft is saved if you leave');
  await bo.closes();
  await anna.types('/drop history', { in: 'Dropline' });
  await anna.sees('plan.pdf');
  await anna.sees('Cancelled, ');
  expect(anna.screen()).not.toContain('[Edit…]');
  await bo.types('/drop history plan', { in: 'Dropline' });
  await bo.sees('Cancelled, ');
  await bo.sees('1 of 1');
  await bo.clicks('Edit…');
  await bo.sees('carl@example.org');
});
