import { expect, test } from 'vitest';
import { removeChannel, saveChannel } from '../../src/features/settings/channels/operations.ts';
import { saveDraft } from '../../src/features/settings/operations.ts';
import { policyWith, saveApproval } from '../features/approval.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';

const postgres = startTestPostgres();

test('settings in the audit log show names, sizes and “not set”; texts stay texts', async () => {
  const { anna, bo, acme, inbox, services, changeInbox } = await setUpInboxApp(postgres);
  const admin = { workspace: acme.id, person: anna.id };
  const changes = { admins: [bo.id], expiryLongest: 30, requests: true };
  await saveDraft(services, admin, {
    draft: { ...changes, message: 'UNCLASSIFIED', maxFileMb: 500, delivery: 'thread' },
  });
  await changeInbox({ senders: ['example.org'], posts: 'day' });
  await removeChannel(services, admin, inbox.id);
  await saveChannel(services, admin, inboxChannel(inbox.id, { senders: ['example.net'], takeAndDone: true }));
  await saveDraft(services, admin, { draft: { message: 'CONFIDENTIAL' } });
  await saveApproval(services, admin, policyWith({ bytes: 1_000_000, approvers: [bo.id] }));
  await anna.types('/drop audit');
  await anna.sees('@Anna changed settings');
  await anna.sees('Additional admins: not set → @Bo');
  await anna.sees('Maximum expiry: not set → 30');
  await anna.sees('Default message: not set → UNCLASSIFIED');
  await anna.sees('Default message: UNCLASSIFIED → CONFIDENTIAL');
  await anna.sees('Deliver downloads: in a direct message → in the thread');
  await anna.sees('Largest file: not set → 500 MB');
  await anna.sees('Inbox channel #inbox: every item → senders example.org, daily at 9:00 AM (UTC)');
  await anna.sees(
    'Inbox channel #inbox: senders example.org, everything else, daily at 9:00 AM (UTC), Take and Done off',
  );
  await anna.sees('Inbox channel #inbox: not set → senders example.net, every item, Take and Done on');
  await anna.sees('Total size without approval: not set → 1 MB');
  await anna.sees('Approvers: not set → @Bo');
  expect(anna.screen()).not.toMatch(new RegExp(`null|${bo.id}|${inbox.id}`));
  await services.store.pool.query(`update dropline.audit set person = 'U0' where action = 'settings'`);
  await anna.fills('Search', 'classified');
  await anna.submits('Search');
  await anna.sees("⚠️ This entry can't be trusted: it was changed in the database");
  expect(anna.screen()).not.toMatch(/changed settings|No results/);
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
  await anna.sees('@Bo downloaded map.png from carl@example.org');
  await anna.sees(/@Bo sent plan\.pdf to carl@example\.org\n\d+ bytes\n/);
});
