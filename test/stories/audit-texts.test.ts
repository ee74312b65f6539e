import { expect, test } from 'vitest';
import { saveFields } from '../../src/features/settings/operations.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';

const postgres = startTestPostgres();

test('settings in the audit log show names and “not set” instead of ids and null', async () => {
  const { anna, bo, acme, inbox, services } = await setUpInboxApp(postgres);
  const admin = { workspace: acme.id, person: anna.id };
  await saveFields(services, admin, { inboxChannel: undefined, admins: [bo.id], expiryLongest: 30, requests: true });
  await services.store.audit.record({
    ...admin,
    action: 'settings',
    outcome: 'done',
    reference: 'OLDENTRY',
    details: { changed: [`The channel for incoming files from null to "${inbox.id}"`] },
  });
  await anna.types('/drop audit');
  await anna.sees('@Anna changed settings');
  await anna.sees('The channel for incoming files: #inbox → not set');
  await anna.sees('Additional admins: none → @Bo');
  await anna.sees('The maximum expiry: not set → 30');
  await anna.sees('File requests: off → on');
  await anna.sees('The channel for incoming files from not set to #inbox');
  expect(anna.screen()).not.toMatch(new RegExp(`null|${bo.id}|${inbox.id}`));
});

test('a transfer and a download have one audit entry each', async () => {
  const app = await setUpInboxApp(postgres);
  const { bo, anna, addItem, audited } = app;
  await sendFile(app, bo, 'plan.pdf');
  await addItem('carl@example.org', ['map.png']);
  await bo.opens('#inbox');
  await bo.sees('map.png');
  await bo.clicks('Download map.png');
  await bo.sees('Downloaded by @Bo');
  expect((await audited()).filter(({ person }) => person === bo.id)).toEqual([
    { person: bo.id, action: 'send', outcome: 'sent' },
    { person: bo.id, action: 'download', outcome: 'done' },
  ]);
  await anna.types('/drop audit');
  await anna.sees(/@Bo downloaded a file\nfile: map\.png; from: carl@example\.org/);
  await anna.sees(/@Bo sent files\nfiles: plan\.pdf; to: carl@example\.org/);
});
