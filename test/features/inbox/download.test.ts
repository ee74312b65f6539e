import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { fileGone } from '../../../src/features/inbox/items/errors.ts';
import { refreshInbox } from '../../../src/features/inbox/poll/operations.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { storeScanRequirement } from '../../../src/features/settings/policies/repository.ts';
import { bytesOf, failureOf, user } from '../../helpers/exchange.ts';
import { admin, anna, bo, sha256 } from '../../helpers/features.ts';
import { listInbox } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { audited, data, discard, operationsOf, recordedDownloads, type Sink, setUpFiles } from './download.ts';

const postgres = startTestPostgres();

test.each(['length', 'chunked'] as const)('a download framed by %s arrives byte for byte', async (framing) => {
  const setup = await setUpFiles(postgres);
  setup.server.behaviour.downloadFraming = framing;
  const received: object[] = [];
  await setup.download(anna, async ({ name, size, stream }) => {
    received.push({ name, size, sum: sha256(await bytesOf(stream)) });
  });
  const size = framing === 'length' ? data.length : undefined;
  expect(received).toEqual([{ name: 'plan.bin', size, sum: sha256(data) }]);
  expect(operationsOf(setup)).toEqual(['get_history', 'download']);
  expect(await recordedDownloads(setup)).toEqual([`${anna.person} plan.bin`]);
  const digest = { size: data.length, sha256: sha256(data) };
  const [item] = await listInbox(setup.services, admin);
  expect(item?.downloads).toMatchObject([digest]);
  const details = { files: [{ name: 'plan.bin', ...digest }], sender: 'carl@example.org' };
  expect(await audited(setup)).toEqual([{ person: anna.person, outcome: 'done', details }]);
});

test('a post lists all concurrent downloads, and a repeated download changes nothing', async () => {
  const setup = await setUpFiles(postgres, true);
  const { download, untilDrained, takeNewPosts, url } = setup;
  await untilDrained();
  takeNewPosts();
  const people = Array.from({ length: 8 }, (_, number) => ({ workspace: 'T1', person: `U-${number}` }));
  await Promise.all(people.map((person) => download(person, discard, { name: 'other.txt' })));
  await untilDrained();
  const all = people.map(({ person }) => `${person} other.txt`);
  expect(await recordedDownloads(setup)).toEqual(all);
  const last = takeNewPosts().at(-1);
  expect(last).toMatchObject({ kind: 'changed', items: [{ url }] });
  expect(last?.items[0]?.downloads.map(({ person, file }) => `${person} ${file}`).sort()).toEqual(all);
  const [first = anna] = people;
  await download(first, discard, { name: 'other.txt' });
  await untilDrained();
  expect(takeNewPosts()).toEqual([]);
  await download(first);
  await untilDrained();
  expect(takeNewPosts()).toHaveLength(1);
  expect(await recordedDownloads(setup)).toEqual([...all, `${first.person} plan.bin`].sort());
  expect(await audited(setup)).toHaveLength(10);
});

test('a download says in the audit that the file has changed since an earlier one', async () => {
  const setup = await setUpFiles(postgres);
  const { account, download, server } = setup;
  await download(anna);
  const { files: other = [] } = await server.addInboxItem(user, {
    sender: 'dora@example.net',
    files: [{ name: 'other', data: 'other bytes' }],
  });
  Object.assign(account.inbox[0]?.files[0] ?? {}, { ...other[0], name: 'plan.bin' });
  for (const actor of [bo, bo, anna]) await download(actor);
  const entries = (await audited(setup)).map(({ details }) => details);
  const changed = { files: [{ sha256: sha256('other bytes') }], earlierSha256: sha256(data) };
  expect(entries).toMatchObject([changed, changed, changed, { files: [{ sha256: sha256(data) }] }]);
  expect(entries[3]).not.toHaveProperty('earlierSha256');
  expect(await recordedDownloads(setup)).toEqual([
    `${anna.person} plan.bin`,
    `${anna.person} plan.bin`,
    `${bo.person} plan.bin`,
  ]);
});

test('without permission, a download is refused before the service is called', async () => {
  const setup = await setUpFiles(postgres);
  const { services, download, roles } = setup;
  roles.set('U-guest', 'none');
  await changeSettings(services, admin, {
    downloaders: [bo.person],
  });
  const guest = { workspace: 'T1', person: 'U-guest' };
  for (const actor of [anna, guest]) {
    expect(await failureOf(download(actor))).toMatchObject({ code: 'not-allowed' });
    expect(await failureOf(refreshInbox(services, actor))).toMatchObject({ code: 'not-allowed' });
  }
  expect(operationsOf(setup)).toEqual([]);
  expect((await audited(setup)).map(({ outcome }) => outcome)).toEqual(['not-allowed', 'not-allowed']);
  await download(bo);
  await download(admin);
});

test("an item that no poll of this workspace has found can't be downloaded", async () => {
  const setup = await setUpFiles(postgres);
  const { connectWorkspace, poll, arrive, server, download, url } = setup;
  const stranger = await connectWorkspace('T2');
  const theirs = await arrive('carl@example.org', ['theirs.pdf'], 't2@example.com');
  await poll();
  // This item arrives after the last poll.
  const unpolled = await arrive();
  server.calls.splice(0);
  for (const itemUrl of [theirs.url, unpolled.url, 'guessed', '..', '.', '', 'a\0b', '\ud800', 'x'.repeat(9_000)]) {
    expect(await failureOf(download(anna, discard, { itemUrl })), itemUrl).toMatchObject({ code: 'not-found' });
  }
  expect(await failureOf(download(stranger, discard, { itemUrl: url }))).toMatchObject({ code: 'not-found' });
  expect(operationsOf(setup)).toEqual([]);
});

test('a download of an item or file that has disappeared fails as not-found', async () => {
  const setup = await setUpFiles(postgres);
  const { account, download, server } = setup;
  server.addFault({ operation: 'download', kind: 'answer', answer: { status: 404, body: 'no such file' } });
  expect(await failureOf(download(anna))).toMatchObject({ code: 'not-found', message: fileGone().message });
  account.inbox[0]?.files.splice(0, 1);
  expect(await failureOf(download(anna))).toMatchObject({ code: 'not-found' });
  account.inbox.splice(0);
  expect(await failureOf(download(anna, discard, { name: 'other.txt' }))).toMatchObject({ code: 'not-found' });
  expect(operationsOf(setup)).toEqual(['get_history', 'download', 'get_history', 'get_history']);
  expect(await recordedDownloads(setup)).toEqual([]);
});

test.each(['length', 'chunked'] as const)(
  'a truncated download framed by %s is never delivered as complete',
  async (framing) => {
    const setup = await setUpFiles(postgres);
    setup.server.behaviour.downloadFraming = framing;
    setup.server.addFault({ operation: 'download', kind: 'reset-during' });
    const streams: Readable[] = [];
    const failure = await failureOf(
      setup.download(anna, async ({ stream }) => {
        streams.push(stream);
        await bytesOf(stream);
      }),
    );
    expect(failure).toMatchObject({ code: 'cut-short' });
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true]);
    expect(await recordedDownloads(setup)).toEqual([]);
    expect((await audited(setup)).map(({ outcome }) => outcome)).toEqual(['cut-short']);
  },
);

test('a broken download fails even if its sink only waits for the stream to close', async () => {
  const setup = await setUpFiles(postgres);
  setup.server.addFault({ operation: 'download', kind: 'reset-during' });
  const failure = await failureOf(
    setup.download(anna, async ({ stream }) => {
      const closed = new Promise((resolve) => stream.on('close', resolve));
      stream.resume();
      await closed;
    }),
  );
  expect(failure).toMatchObject({ code: 'file-failed', names: ['plan.bin'] });
  expect(await recordedDownloads(setup)).toEqual([]);
});

test('a download without length or chunked framing is refused before it is read', async () => {
  const setup = await setUpFiles(postgres);
  setup.server.behaviour.downloadFraming = 'until-close';
  const sink: Sink = () => Promise.reject(new Error('the sink was called'));
  expect(await failureOf(setup.download(anna, sink))).toMatchObject({ code: 'changed-format' });
  expect(await recordedDownloads(setup)).toEqual([]);
});

test('without a scanner, nothing is downloaded if another process requires scanning', async () => {
  const setup = await setUpFiles(postgres);
  await storeScanRequirement(setup.services, true);
  const received: object[] = [];
  const sink: Sink = async (file) => void received.push(file);
  expect(await failureOf(setup.download(anna, sink))).toMatchObject({ code: 'not-scanned' });
  expect(received).toEqual([]);
  expect(operationsOf(setup)).not.toContain('download');
});
