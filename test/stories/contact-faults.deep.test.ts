import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('while the service is slow, a form shows progress and then the outcome', async () => {
  const { bo, exchange, slack, account } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Edit', { near: 'emil@example.com' });
  await bo.fills('Name', 'Emilia');
  const reading = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await bo.submits('Save');
  await bo.sees('Working on it…');
  await reading.release();
  await bo.sees('Contact changed.');
  expect(account.contacts.local[2]).toMatchObject({ nick: 'Emilia' });
  await slack.untilIdle();
  expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
});

test('if Slack delivers a contact form twice, one contact is added', async () => {
  const { bo, account, exchange, slack } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Add contact');
  await bo.fills('Email', 'fia@example.org');
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await slack.untilIdle();
  expect(account.contacts.local.map(({ email }) => email)).toEqual([
    'carl@example.org',
    'dora@example.net',
    'emil@example.com',
    'fia@example.org',
  ]);
  expect(exchange.calls.filter(({ operation }) => operation === 'contacts_add')).toHaveLength(1);
  expect(bo.messages.filter(({ destination }) => destination === 'Dropline')).toEqual([]);
});
