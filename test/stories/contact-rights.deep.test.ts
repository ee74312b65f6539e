import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('after a refused list an admin sets add-only, and contacts can be added', async () => {
  const { anna, bo, account } = await setUpApp(postgres, {
    exchange: { behaviour: { contactsAdd: 'refuse-existing' } },
  });
  await bo.opens('Dropline');
  await bo.types('/drop contacts add fia@example.org');
  await bo.sees('Nothing was changed. The service refused the list');
  await bo.doesNotSee('This service only adds …');
  await anna.opens('#general');
  await anna.types('/drop contacts');
  await anna.clicks('Add a contact');
  await anna.fills('E-mail address', 'fia@example.org');
  await anna.submits('Add this contact');
  await anna.clicks('This service only adds …');
  await anna.confirms('It only adds');
  await anna.sees('From now on contacts are only added here.');
  await anna.closes();
  await bo.clicks('Open the form again');
  await bo.submits('Add this contact');
  await bo.sees('Done: 1 contact added.');
  await bo.closes();
  expect(account.contacts.local.map(({ email }) => email)).toContain('fia@example.org');
  await anna.types('/drop contacts');
  await anna.sees('This service only adds: change and remove contacts on the service itself.');
  await anna.doesNotSee('Remove |');
});
