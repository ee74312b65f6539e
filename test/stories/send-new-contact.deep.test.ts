import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test("people who can't edit contacts can't add an address in the send form", async () => {
  const { anna, bo, acme, services, account } = await setUpApp(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { contactEditors: 'admins' });
  await bo.types('/drop send', { in: '#general' });
  await bo.fills('Message', 'Half a thought');
  await expect(bo.picks('To', 'new@person.example')).rejects.toThrow('No option');
  await bo.clicks('New contact…');
  await bo.sees("You can't change contacts in this workspace.");
  await bo.clicks('Close');
  await bo.sees('Half a thought');
  expect(account.contacts.local).toHaveLength(3);
});
