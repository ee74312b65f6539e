import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { InboxItem } from '../../../src/features/common/services.ts';
import { downloadFile } from '../../../src/features/inbox/download/operations.ts';
import { fileBlocks } from '../../../src/features/inbox/items/views.ts';
import { bytesOf, failureOf } from '../../helpers/exchange.ts';
import { admin, anna } from '../../helpers/features.ts';
import { listInbox } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { audited, discard, operationsOf, recordedDownloads, type Sink, setUpFiles } from './download.ts';

const postgres = startTestPostgres();

test('a file with a name over 4 KB is listed without a button and never downloaded', async () => {
  const setup = await setUpFiles(postgres);
  const name = `${'x'.repeat(4_096)}.pdf`;
  const { url } = await setup.arrive('carl@example.org', [name]);
  await setup.poll();
  const listed = await listInbox(setup.services, admin);
  const item = listed.find((other) => other.url === url) as InboxItem;
  expect(item.files).toEqual([name]);
  expect(JSON.stringify(fileBlocks(item, name))).toMatch(/x+….*too long to download/);
  expect(JSON.stringify(fileBlocks(item, name))).not.toContain('button');
  setup.server.calls.splice(0);
  expect(await failureOf(setup.download(anna, discard, { itemUrl: url, name }))).toMatchObject({ code: 'not-found' });
  expect(operationsOf(setup)).toEqual([]);
});

test('if writing a downloaded file fails, the download fails with the same error', async () => {
  const setup = await setUpFiles(postgres);
  const failed = new Error('Slack failed halfway');
  const streams: Readable[] = [];
  const sink: Sink = async ({ stream }) => {
    streams.push(stream);
    await once(stream, 'readable');
    throw failed;
  };
  expect(await failureOf(setup.download(anna, sink))).toBe(failed);
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([true]);
  expect(await recordedDownloads(setup)).toEqual([]);
});

test('a download fails if only part of the file is read', async () => {
  const setup = await setUpFiles(postgres);
  const sink: Sink = async ({ stream }) => {
    await once(stream, 'readable');
    stream.read();
  };
  expect(await failureOf(setup.download(anna, sink))).toMatchObject({ code: 'file-failed', names: ['plan.bin'] });
  expect(await recordedDownloads(setup)).toEqual([]);
});

test("an aborted download fails with the reason and isn't recorded", async () => {
  const setup = await setUpFiles(postgres);
  const stopping = new AbortController();
  const sink: Sink = async ({ stream }) => {
    stopping.abort(new Error('the process is stopping'));
    await bytesOf(stream);
  };
  const file = { url: setup.url, name: 'plan.bin' };
  const failure = await failureOf(downloadFile(setup.services, anna, file, sink, stopping.signal));
  expect(failure.message).toBe('the process is stopping');
  expect(await recordedDownloads(setup)).toEqual([]);
});

test("a completed download succeeds even if it can't be recorded", async () => {
  const setup = await setUpFiles(postgres);
  const { services, download } = setup;
  const add = () => Promise.reject(new Error('the database is unavailable'));
  await download(anna, discard, { services: { ...services, queue: { ...services.queue, add } } });
  expect((await audited(setup)).map(({ outcome }) => outcome)).toEqual(['done']);
  // The record and its job are written in one transaction: without the job, a record would never reach the post.
  expect(await recordedDownloads(setup)).toEqual([]);
});
