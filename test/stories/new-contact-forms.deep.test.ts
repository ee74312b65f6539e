import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const recipientsLabel = 'Recipients of your next transfer';

test('an unknown address in the request form can be added, and other input stays', async () => {
  const { anna, acme, services, account } = await setUpApp(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  await anna.types('/drop request', { in: '#general' });
  await anna.picks('Request from', 'carl');
  await anna.fills('Message', 'The contract, please');
  await anna.fills('Expires after (unit unknown)', '3');
  await anna.picks('Request from', 'new@person.example');
  await anna.sees('Email: new@person.example');
  await anna.clicks('Cancel');
  await anna.sees(/Request from: carl@example\.org \(Carl\)\n/);
  await anna.picks('Request from', 'new@person.example');
  await anna.submits('Add');
  await anna.sees('Contact added.');
  await anna.clicks('Back');
  await anna.sees('Request from: carl@example.org (Carl), new@person.example');
  await anna.sees('Message (optional): The contract, please');
  await anna.submits('Review');
  await anna.sees('2 people can upload files for you:');
  await anna.sees(/new@person\.example[\s\S]*Expires after 3/);
  expect(account.contacts.local.map(({ email }) => email)).toContain('new@person.example');
});

test('an unknown address in the recipients form can be added and saved', async () => {
  const { bo, anna, acme, services } = await setUpApp(postgres);
  await bo.types('/drop recipients', { in: '#general' });
  await bo.picks(recipientsLabel, 'board');
  await bo.picks(recipientsLabel, 'new@person.example');
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await bo.clicks('Back');
  await bo.sees(`${recipientsLabel} (optional): new@person.example, board`);
  await bo.submits('Save');
  await bo.sees('3 recipients saved.');
  await bo.closes();
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { contactEditors: 'admins' });
  await bo.types('/drop recipients');
  await expect(bo.picks(recipientsLabel, 'other@person.example')).rejects.toThrow('No option');
});
