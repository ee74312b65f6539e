import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('after the service rejects a list, the add-only setting lets people add contacts', async () => {
  const { anna, bo, account } = await setUpApp(postgres, {
    exchange: { behaviour: { contactsAdd: 'refuse-existing' } },
  });
  await bo.opens('Dropline');
  await bo.types('/drop contacts add fia@example.org');
  await bo.sees('Nothing was changed. The service rejected the list');
  await bo.doesNotSee('Add-only service…');
  await anna.opens('#general');
  await anna.types('/drop contacts');
  await anna.clicks('Add contact');
  await anna.fills('Email', 'fia@example.org');
  await anna.submits('Add');
  await anna.clicks('Add-only service…');
  await anna.confirms('Turn on');
  await anna.sees('Add-only service is on.');
  await anna.closes();
  await bo.clicks('Edit and retry');
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await bo.closes();
  expect(account.contacts.local.map(({ email }) => email)).toContain('fia@example.org');
  await anna.types('/drop contacts');
  await anna.sees('Add-only service: change and remove contacts on the service itself.');
  await anna.doesNotSee('Remove |');
});
