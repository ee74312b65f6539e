import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { sha256, until } from '../helpers/features.ts';
import { announcementsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const large = Buffer.alloc(3_000_000, 'a stretch of a large file; ');

/** Returns a function that lists the spool files created since. Files of other tests show up briefly. */
function watchSpoolFiles(): () => string[] {
  const listSpoolFiles = () => readdirSync(tmpdir()).filter((name) => /^dropline-[0-9a-f-]{36}$/.test(name));
  const before = new Set(listSpoolFiles());
  return () => listSpoolFiles().filter((name) => !before.has(name));
}

test('a large file arrives intact, sized or chunked, and leaves no file on disk', async () => {
  const newSpoolFiles = watchSpoolFiles();
  const { bo, addItem, exchange, acme } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', [
    { name: 'announced.bin', data: large },
    { name: 'chunked.bin', data: large },
  ]);
  await bo.clicks('Download announced.bin');
  await until(() => acme.files.length === 1 || undefined, 'the first file');
  exchange.behaviour.downloadFraming = 'chunked';
  await bo.clicks('Download chunked.bin');
  await bo.opens('Dropline');
  for (const name of ['announced.bin', 'chunked.bin']) {
    expect((await bo.downloads(name)).sha256, name).toBe(sha256(large));
  }
  await expect.poll(newSpoolFiles).toEqual([]);
});

test("a truncated file or one of unknown length isn't delivered, and people can retry", async () => {
  const newSpoolFiles = watchSpoolFiles();
  const { bo, addItem, exchange, acme, audited } = await setUpInboxApp(postgres);
  const names = ['length', 'chunked', 'until-close'] as const;
  await addItem(
    'carl@example.org',
    names.map((name) => ({ name, data: large })),
  );
  await bo.sees('3 files from carl@example.org');
  for (const framing of ['length', 'chunked'] as const) {
    exchange.behaviour.downloadFraming = framing;
    exchange.addFault({ operation: 'download', kind: 'reset-during' });
    await bo.opens('#inbox');
    await bo.clicks(`Download ${framing}`);
    await bo.opens('Dropline');
    await bo.sees(`“${framing}” from carl@example.org couldn't be downloaded.`);
    expect(acme.files.filter(({ title }) => title === framing)).toEqual([]);
    await bo.clicks(`Download ${framing} again`);
    expect((await bo.downloads(framing)).sha256).toBe(sha256(large));
  }
  exchange.behaviour.downloadFraming = 'until-close';
  await bo.opens('#inbox');
  await bo.clicks('Download until-close');
  await bo.opens('Dropline');
  await bo.sees("tell whether it's complete");
  expect(acme.files).toHaveLength(2);
  await bo.opens('#inbox');
  await bo.sees(/Downloaded by[\s\S]*Downloaded by/);
  expect(bo.screen().match(/Downloaded by/g)).toHaveLength(2);
  await expect.poll(newSpoolFiles).toEqual([]);
  const outcomes = async () =>
    (await audited()).flatMap(({ action, outcome }) => (action === 'download' ? [outcome] : []));
  await until(async () => (await outcomes()).length === 5 || undefined, 'five entries');
  expect((await outcomes()).sort()).toEqual(['changed-format', 'cut-short', 'cut-short', 'done', 'done']);
});

test('thread delivery falls back to a DM for list downloads and shared channels', async () => {
  const { bo, anna, addItem, changeInbox, inbox, acme } = await setUpInboxApp(postgres);
  await changeInbox({ delivery: 'thread' });
  await addItem('carl@example.org', ['plan.pdf', 'map.png', 'note.txt']);
  await bo.clicks('Download plan.pdf');
  await bo.sees("I'll post “plan.pdf” in the thread.");
  await anna.downloads('plan.pdf');
  const [, post, ...replies] = announcementsIn(inbox).filter(({ ephemeralTo }) => ephemeralTo === undefined);
  expect(replies.map(({ threadTs }) => threadTs)).toEqual([post?.ts]);
  await bo.types('/drop inbox');
  await bo.sees('newest first');
  await bo.clicks('Download map.png');
  await bo.sees("I'll send you “map.png” in a direct message.");
  await bo.closes();
  await until(() => acme.files.length === 2 || undefined, 'the second file');
  inbox.share();
  await bo.clicks('Download note.txt');
  await bo.opens('Dropline');
  await bo.downloads('map.png');
  await bo.downloads('note.txt');
  expect(inbox.messages.flatMap(({ fileIds }) => fileIds)).toHaveLength(1);
});

test('a downloaded file comes with a hint to send it on, unless the person cannot send', async () => {
  const { bo, addItem, changeSettings } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await addItem('dora@example.net', ['map.png']);
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.sees(
    "“plan.pdf” from carl@example.org. To send it on, open this message's ⋮ menu and choose Send securely.",
  );
  await bo.usesShortcut('Send securely', { on: 'To send it on' });
  await bo.sees(/== Send files ==[\s\S]*plan\.pdf/);
  await bo.closes();
  await changeSettings({ senders: 'admins' });
  await bo.opens('#inbox');
  await bo.clicks('Download map.png');
  await bo.opens('Dropline');
  await bo.sees('“map.png” from dora@example.net');
  await bo.downloads('map.png');
  expect(bo.screen().split('To send it on')).toHaveLength(2);
});
