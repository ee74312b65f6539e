import { expect, test } from 'vitest';
import { readDraft } from '../../src/features/staging/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const question = 'Who gets your next dispatch?';

test('recipients are chosen by typing, shown only to that person and can be cleared', async () => {
  const { bo, anna, account, exchange } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop recipients');
  await bo.picks(question, 'emil');
  await bo.picks(question, 'board');
  await bo.submits('Keep this choice');
  await bo.sees('Your next dispatch goes to 3 people.');
  await bo.sees('carl@example.org · 46700000001 · Carl');
  await bo.closes();
  account.contacts.local = account.contacts.local.filter(({ email }) => email !== 'emil@example.com');
  await bo.types('/drop contacts');
  await bo.sees('2 contacts of your own.');
  await bo.closes();
  await bo.types('/drop recipients');
  await bo.sees('Not among the contacts any more: emil@example.com.');
  await bo.sees(`${question} (optional): board`);
  await bo.sees('Chosen now: 2 people');
  await bo.clicks('Choose nobody');
  await bo.sees('Nobody is chosen for your next dispatch now.');
  await bo.closes();
  await bo.types('/drop recipients');
  await bo.picks(question, 'dora@');
  await bo.submits('Keep this choice');
  await bo.sees('Your next dispatch goes to 1 person.');
  await bo.closes();
  await anna.opens('#general');
  await anna.types('/drop recipients');
  await anna.sees(`${question} (optional): ‹Type`);
  await bo.types('/drop recipients clear');
  await bo.sees('Nobody is chosen for your next dispatch now.');
  // All people share the account's recipient list, so it is set only while a transfer runs.
  expect(exchange.calls.filter(({ operation }) => operation === 'receivers_set')).toEqual([]);
});

test('a recipient who is no longer a contact is refused at the field and not saved', async () => {
  const { bo, acme, account, services } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop recipients');
  await bo.picks(question, 'emil');
  account.contacts.local = account.contacts.local.filter(({ email }) => email !== 'emil@example.com');
  await bo.submits('Keep this choice');
  await bo.sees('Somebody here is not among the contacts any more. Choose again.');
  expect(await readDraft(services, { workspace: acme.id, person: bo.id })).toMatchObject({ receivers: [], groups: [] });
  await bo.unpicks(question, 'emil');
  await bo.picks(question, 'Dora');
  await bo.submits('Keep this choice');
  await bo.sees('dora@example.net · 46700000002');
});
