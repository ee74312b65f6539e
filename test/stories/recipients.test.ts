import { expect, test } from 'vitest';
import { readDraft } from '../../src/features/staging/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const recipientsLabel = 'Recipients of your next transfer';

test('people choose recipients by typing, see only their own and can clear them', async () => {
  const { bo, anna, account, exchange } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop recipients');
  await bo.picks(recipientsLabel, 'emil');
  await bo.picks(recipientsLabel, 'board');
  await bo.submits('Save');
  await bo.sees('3 recipients saved.');
  await bo.sees('carl@example.org (Carl) · Mobile 46700000001');
  await bo.closes();
  account.contacts.local = account.contacts.local.filter(({ email }) => email !== 'emil@example.com');
  await bo.types('/drop contacts');
  await bo.sees('2 contacts.');
  await bo.closes();
  await bo.types('/drop recipients');
  await bo.sees('No longer in your contacts: emil@example.com.');
  await bo.sees(`${recipientsLabel} (optional): board`);
  await bo.sees('Selected: 2 people');
  await bo.clicks('Clear');
  await bo.sees('Recipients cleared.');
  await bo.closes();
  await bo.types('/drop recipients');
  await bo.picks(recipientsLabel, 'dora@');
  await bo.submits('Save');
  await bo.sees('1 recipient saved.');
  await bo.closes();
  await anna.opens('#general');
  await anna.types('/drop recipients');
  await anna.sees(`${recipientsLabel} (optional): ‹Type`);
  await bo.types('/drop recipients clear');
  await bo.sees('Recipients cleared.');
  // All people share the account's recipient list, so it is set only while a transfer runs.
  expect(exchange.calls.filter(({ operation }) => operation === 'receivers_set')).toEqual([]);
});

test('a recipient who is no longer a contact is refused at the field and not saved', async () => {
  const { bo, acme, account, services } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop recipients');
  await bo.picks(recipientsLabel, 'emil');
  account.contacts.local = account.contacts.local.filter(({ email }) => email !== 'emil@example.com');
  await bo.submits('Save');
  await bo.sees("emil@example.com (Emil) isn't in your contacts. Choose again.");
  expect(await readDraft(services, { workspace: acme.id, person: bo.id })).toMatchObject({
    recipients: [],
    groups: [],
  });
  await bo.unpicks(recipientsLabel, 'emil');
  await bo.picks(recipientsLabel, 'Dora');
  await bo.submits('Save');
  await bo.sees('dora@example.net (Dora) · Mobile 46700000002');
});
