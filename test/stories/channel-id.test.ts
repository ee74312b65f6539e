import { expect, test } from 'vitest';
import { channelIds } from '../../src/features/settings/inbox-channels.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { encryptedColumns } from '../../src/store/encrypted-columns.ts';
import type { Store } from '../../src/store/index.ts';
import { policyWith, saveApproval } from '../features/approval.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { asksForApproval } from './approval.ts';

const postgres = startTestPostgres();

/** The encrypted values that contain one of the texts, by table and column; those of keyv by their kind. */
async function storedWith({ pool, cipher }: Store, texts: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const { table, column, id, contextOf } of encryptedColumns) {
    const sql = `select ${id} as id, ${column} as value from dropline.${table} where ${column} <> ''`;
    for (const row of (await pool.query<{ id: string; value: string }>(sql)).rows) {
      const value = cipher.decrypt(contextOf(row.id), row.value);
      if (!texts.some((text) => value.includes(text))) continue;
      found.add(table === 'keyv' ? (row.id.split(':')[0] ?? '') : `${table}.${column}`);
    }
  }
  return [...found].sort();
}

test('when the id of a channel changes, its settings, posts and cards follow', async () => {
  const { acme, anna, bo, inbox, services, slack, addItem, changeSettings } = await setUpInboxApp(postgres);
  const news = acme.addChannel({ name: 'news', kind: 'private', members: [anna, bo, 'app'] });
  inbox.setKind('private');
  const before = [inbox.id, news.id];
  const forNet = { senders: ['example.net'], posts: 'hour' as const };
  await changeSettings({
    inboxChannels: [inboxChannel(inbox.id, { takeAndDone: true }), inboxChannel(news.id, forNet)],
    watchedChannels: before,
  });
  const policy = policyWith({ every: true, approvers: [inbox.id] });
  await saveApproval(services, { workspace: acme.id, person: anna.id }, policy);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('1 file from carl@example.org');
  await asksForApproval(bo);
  await anna.opens('#inbox');
  await anna.sees('Approval needed');

  slack.addFault({ delivery: 'event', event: 'channel_id_changed', kind: 'repeat' });
  slack.addFault({ delivery: 'event', event: 'channel_id_changed', kind: 'duplicate' });
  inbox.changeId();
  news.changeId();
  await expect
    .poll(async () => (await readSettings(services, { workspace: acme.id })).watchedChannels)
    .toEqual([inbox.id, news.id]);
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject({
    inboxChannels: [inboxChannel(inbox.id, { takeAndDone: true }), inboxChannel(news.id, forNet)],
    approvers: [inbox.id],
  });
  // Entries of the audit never change, and the steps of jobs that have ended are deleted.
  expect(await storedWith(services.store, before)).toEqual(['audit.details_encrypted']);

  await anna.opens('#inbox');
  await anna.clicks('Review');
  await anna.submits('Approve');
  await anna.closes();
  await anna.sees('Approved by @Anna');
  await bo.opens('#inbox');
  await bo.clicks('Take');
  await bo.sees('Taken by @Bo');
  // A file can have any name.
  const name = inbox.id;
  await addItem('carl@example.org', [name]);
  await bo.sees(name);
  inbox.changeId();
  await expect.poll(async () => channelIds(await readSettings(services, { workspace: acme.id }))[0]).toBe(inbox.id);
  await bo.types('/drop inbox');
  await bo.sees(name);
});
