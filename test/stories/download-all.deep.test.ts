import { expect, test } from 'vitest';
import { downloadIdOf, fileIdOf, itemIdOf } from '../../src/features/common/ids.ts';
import { askForFile, queueDownload } from '../../src/features/inbox/orders/operations.ts';
import { bounds } from '../../src/lib/bounds.ts';
import { deskOf } from '../helpers/desks.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpLinks } from './download-link.ts';

const postgres = startTestPostgres();

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `file ${index}.pdf`);

test('one click downloads at most 20 files, and the next click the rest', async () => {
  const { bo, addItem, acme, untilIdle } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', numbered(bounds.downloadsAtOnce + 3));
  await bo.sees('23 files from carl@example.org');
  await bo.types('/drop inbox');
  await bo.clicks('Show all 23 files');
  await bo.sees('== Files ==');
  await bo.clicks('Download all 23 files from carl@example.org');
  await bo.sees("I'll send you 20 files");
  await bo.sees('20 files are in our direct messages.');
  expect(acme.files).toHaveLength(20);
  await bo.clicks('Download all 23 files from carl@example.org');
  await bo.sees('3 files are in our direct messages.');
  await untilIdle();
  expect(new Set(acme.files.map(({ title }) => title)).size).toBe(23);
  expect(acme.files).toHaveLength(23);
});

test('if an admin chose delivery by link, each file gets its own link', async () => {
  const { bo, addItem, acme } = await setUpLinks(postgres);
  await addItem('carl@example.org', ['a.pdf', 'b.pdf']);
  await bo.opens('#inbox');
  await bo.clicks('Download all 2 files from carl@example.org');
  await bo.sees('I sent you 2 links in direct messages.');
  await bo.opens('Dropline');
  await bo.sees('Your link to “a.pdf” from carl@example.org.');
  await bo.sees('Your link to “b.pdf” from carl@example.org.');
  expect(acme.files).toEqual([]);
});

test('a batch download ends even if one of its files is also downloaded separately', async () => {
  const { bo, addItem, exchange, acme, services, untilIdle } = await setUpInboxApp(postgres);
  const { url } = await addItem('carl@example.org', ['a.pdf', 'b.pdf']);
  await bo.sees('2 files from carl@example.org');
  await bo.types('/drop inbox');
  await bo.sees('newest first');
  const slow = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download all 2 files from carl@example.org');
  await bo.sees("I'll send you 2 files");
  await slow.triggered;
  const requested = { item: itemIdOf(url), file: fileIdOf('a.pdf') };
  await askForFile(services, { workspace: acme.id, person: bo.id }, requested);
  await slow.release();
  await bo.sees('2 files are in our direct messages.');
  await untilIdle();
  expect(acme.files).toHaveLength(2);
});

test('a batch download skips a file that has just been delivered', async () => {
  const { bo, addItem, acme, services, untilIdle } = await setUpInboxApp(postgres);
  const { url } = await addItem('carl@example.org', ['a.pdf', 'b.pdf']);
  await bo.sees('2 files from carl@example.org');
  await bo.types('/drop inbox');
  await bo.sees('newest first');
  await bo.clicks('Download all 2 files from carl@example.org');
  await bo.sees('2 files are in our direct messages.');
  const { account } = await deskOf(services.store, acme.id);
  const late = { account, person: bo.id, url, name: 'a.pdf', batch: 'the modal' };
  await queueDownload(services, acme.id, downloadIdOf(bo.id, url, 'a.pdf'), late);
  await untilIdle();
  expect(acme.files).toHaveLength(2);
});

test('a modal with two batch downloads reports the files of both', async () => {
  const { bo, addItem, exchange, acme } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['a.pdf', 'b.pdf']);
  await addItem('dora@example.net', ['c.pdf', 'd.pdf']);
  await bo.sees('2 files from carl@example.org');
  await bo.sees('2 files from dora@example.net');
  await bo.types('/drop inbox');
  await bo.sees('2 items, newest first.');
  const slow = exchange.addFault({ operation: 'download', kind: 'delay', times: 4 });
  for (const sender of ['carl@example.org', 'dora@example.net']) {
    await bo.clicks(`Download all 2 files from ${sender}`);
    await bo.sees("I'll send you 2 files");
    await slow.triggered;
  }
  slow.remove();
  await slow.release();
  await bo.sees('4 files are in our direct messages.');
  expect(acme.files).toHaveLength(4);
});

test('the inbox says how many files of a batch could not be downloaded', async () => {
  const { bo, acme, addItem, exchange } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['a.pdf', 'b.pdf']);
  await bo.sees('2 files from carl@example.org');
  await bo.types('/drop inbox');
  await bo.sees('newest first');
  exchange.addFault({ operation: 'download', kind: 'reset-during' });
  await bo.clicks('Download all 2 files from carl@example.org');
  await bo.sees("⚠️ 1 of 2 files couldn't be downloaded. See our direct messages.");
  expect(acme.files).toHaveLength(1);
});
