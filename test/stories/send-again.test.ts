import { expect, test } from 'vitest';
import { cardValue } from '../../src/features/transfers/send/card.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { forgerFor } from '../helpers/forgery.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, stages } from '../helpers/send-steps.ts';
import { sendFile } from './send.ts';

const postgres = startTestPostgres();

const files = [
  { name: 'plan.pdf', data: 'the plan' },
  { name: 'map.png', data: 'the map' },
];

async function sendBoth({ bo }: AppSetup): Promise<void> {
  await stages(bo, files);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'board');
  await bo.fills('Message', 'Here you are');
  await bo.submits('Review');
  await bo.submits('Send 2 files to 2 people');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('✅ Sent');
}

const sentTransfers = ({ account }: AppSetup) =>
  account.drops.map(({ files, receivers: recipients, message }) => [
    files.map(({ name }) => name),
    recipients.map(({ email }) => email),
    message,
  ]);

test('the Send again button opens a new review that lists what is left out', async () => {
  const setup = await setUpApp(postgres);
  const { bo, account } = setup;
  await sendBoth(setup);
  await bo.deletesFile('map.png');
  account.contacts.local = account.contacts.local.filter(({ email }) => email !== 'dora@example.net');
  await bo.clicks('Send again');
  await bo.sees('No longer in Slack: map.png.');
  await bo.sees('No longer in your contacts: dora@example.net.');
  await bo.doesNotSee('Possible duplicate');
  await confirms(bo, 1);
  await expect.poll(() => sentTransfers(setup)).toHaveLength(2);
  expect(sentTransfers(setup)[1]).toEqual([['plan.pdf'], ['carl@example.org'], 'Here you are']);
});

test('the Send to others button opens the form with only the files', async () => {
  const setup = await setUpApp(postgres);
  const { bo } = setup;
  await sendBoth(setup);
  await bo.deletesFile('map.png');
  await bo.clicks('Send to others');
  await bo.sees('“map.png” was deleted, or is in a conversation');
  const form = bo.screen().split('== Send files ==')[1] ?? '';
  expect(form).toContain('plan.pdf (8 bytes)');
  expect(form).not.toMatch(/carl@|dora@|Here you are/);
  await bo.picks('To', 'emil');
  await bo.submits('Review');
  await confirms(bo, 1);
  await expect.poll(() => sentTransfers(setup)).toHaveLength(2);
  expect(sentTransfers(setup)[1]).toEqual([['plan.pdf'], ['emil@example.com'], '']);
});

test("the Home tab and the history offer to repeat only the person's own transfers", async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo } = setup;
  await sendFile(bo, 'plan.pdf', 'carl');
  await bo.sees('✅ Sent');
  await bo.opens('Home of Dropline');
  await bo.clicks('Send again');
  await bo.sees("can't be recalled");
  await bo.clicks('Cancel');
  await bo.types('/drop history', { in: 'Dropline' });
  await bo.sees('Your transfers, newest first.');
  await bo.clicks('Details of plan.pdf');
  await bo.sees('[Send again] [Send to others]');
  await bo.clicks('Send again');
  await confirms(bo, 1);
  await expect.poll(() => sentTransfers(setup)).toHaveLength(2);
  await anna.opens('Home of Dropline');
  await anna.sees('plan.pdf to carl@example.org');
  await anna.doesNotSee('Send again');
});

test("no one can repeat another person's transfer, not even an admin", async () => {
  const { anna, bo, acme, services, account } = await setUpApp(postgres);
  await sendFile(bo, 'plan.pdf', 'carl');
  await bo.sees('✅ Sent');
  const { rows } = await services.store.pool.query<{ id: string }>(
    'select id from dropline.transfers where workspace = $1',
    [acme.id],
  );
  const id = rows[0]?.id ?? '';
  const forger = await forgerFor(anna, acme, anna);
  for (const [action, value] of [
    ['send.again', cardValue.write({ id })],
    ['send.others', cardValue.write({ id })],
    ['send.more', `again ${id}`],
    ['send.more', `others ${id}`],
    ['send.more', 'again nonsense'],
  ] as const) {
    await forger.clicks(action, { value });
    await anna.sees('Transfer not found.');
    expect(anna.screen()).not.toContain('plan.pdf');
  }
  expect(account.drops).toHaveLength(1);
});
