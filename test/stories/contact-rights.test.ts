import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test("guests can't use contacts or recipients; members without permission only view", async () => {
  const { anna, bo, gus, acme, account, services } = await setUpApp(postgres);
  const refusal = "Guests, bots and people from other organisations can't use Dropline here.";
  await gus.opens('#general');
  for (const command of [
    '/drop contacts',
    '/drop contacts add x@example.org',
    '/drop receivers',
    '/drop receivers clear',
  ]) {
    await gus.types(command);
    await gus.sees(refusal);
    if (gus.client.modals.length > 0) await gus.closes();
    await gus.reloads();
  }
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Add contact');
  await bo.fills('Email', 'fia@example.org');
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { contactEditors: 'admins' });
  await bo.submits('Add');
  await bo.sees("You can't change contacts in this workspace. An admin can allow it");
  await bo.closes();
  await bo.types('/drop contacts');
  await bo.sees('You can view contacts but not change them.');
  await bo.doesNotSee('Add contact');
  await bo.doesNotSee('Remove');
  await bo.closes();
  await bo.types('/drop contacts add fia@example.org');
  await bo.sees("You can't change contacts in this workspace.");
  expect(account.contacts.local).toHaveLength(3);
});
