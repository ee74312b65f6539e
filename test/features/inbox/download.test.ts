import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Actor, InboxItem } from '../../../src/features/common/services.ts';
import { fileBlocks } from '../../../src/features/inbox/items/views.ts';
import { downloadFile, type IncomingFile, listInbox } from '../../../src/features/inbox/operations.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { bytesOf, failureOf, user } from '../../helpers/exchange.ts';
import { admin, anna, bo, sha256 } from '../../helpers/features.ts';
import { type InboxSetup, setUpInbox } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { createRandom } from '../../helpers/seeded.ts';

const postgres = startTestPostgres();
const data = createRandom(5).bytes(1_000_000);

/** Two files in an inbox that has been polled. */
async function setUpFiles(isWorking = false) {
  const setup = await setUpInbox(postgres, { isWorking });
  const files = [
    { name: 'plan.bin', data },
    { name: 'other.txt', data: 'other' },
  ];
  const { url } = await setup.server.addInboxItem(user, { sender: 'carl@example.org', files });
  await setup.poll();
  setup.server.calls.splice(0);
  const download = (
    actor: Actor,
    sink = discard,
    { name = 'plan.bin', itemUrl = url, services = setup.services } = {},
  ) => downloadFile(services, actor, { url: itemUrl, name }, sink, new AbortController().signal);
  return { ...setup, url, download };
}

type Sink = (file: IncomingFile) => Promise<void>;

const discard: Sink = async ({ stream }) => {
  await bytesOf(stream);
};

/** Who downloaded what, according to the inbox records. */
async function recordedDownloads({ services }: InboxSetup) {
  const [item] = await listInbox(services, admin);
  return item?.downloads.map(({ person, file }) => `${person} ${file}`).sort();
}

async function audited({ store }: InboxSetup) {
  const entries = await store.audit.list('T1', { act: 'download' });
  return entries.map(({ person, outcome, details }) => ({ person, outcome, details }));
}

const operationsOf = ({ server }: InboxSetup) => server.calls.map(({ operation }) => operation);

test.each(['length', 'chunked'] as const)('a file framed by %s arrives byte for byte', async (framing) => {
  const setup = await setUpFiles();
  setup.server.behaviour.downloadFraming = framing;
  const received: object[] = [];
  await setup.download(anna, async ({ name, size, stream }) => {
    received.push({ name, size, sum: sha256(await bytesOf(stream)) });
  });
  const size = framing === 'length' ? data.length : undefined;
  expect(received).toEqual([{ name: 'plan.bin', size, sum: sha256(data) }]);
  expect(operationsOf(setup)).toEqual(['get_history', 'download']);
  expect(await recordedDownloads(setup)).toEqual([`${anna.person} plan.bin`]);
  const details = { file: 'plan.bin', sender: 'carl@example.org' };
  expect(await audited(setup)).toEqual([{ person: anna.person, outcome: 'done', details }]);
});

test('the post lists all concurrent downloads, and repeats change nothing', async () => {
  const setup = await setUpFiles(true);
  const { download, drained, newPosts, url } = setup;
  await drained();
  newPosts();
  const people = Array.from({ length: 8 }, (_, number) => ({ workspace: 'T1', person: `U-${number}` }));
  await Promise.all(people.map((person) => download(person, discard, { name: 'other.txt' })));
  await drained();
  const all = people.map(({ person }) => `${person} other.txt`);
  expect(await recordedDownloads(setup)).toEqual(all);
  const last = newPosts().at(-1);
  expect(last).toMatchObject({ kind: 'changed', items: [{ url }] });
  expect(last?.items[0]?.downloads.map(({ person, file }) => `${person} ${file}`).sort()).toEqual(all);
  const [first = anna] = people;
  await download(first, discard, { name: 'other.txt' });
  await drained();
  expect(newPosts()).toEqual([]);
  await download(first);
  await drained();
  expect(newPosts()).toHaveLength(1);
  expect(await recordedDownloads(setup)).toEqual([...all, `${first.person} plan.bin`].sort());
  expect(await audited(setup)).toHaveLength(10);
});

test('without permission, a download is refused before the service is called', async () => {
  const setup = await setUpFiles();
  const { services, download, roles } = setup;
  roles.set('U-guest', 'none');
  await changeSettings(services, admin, {
    may: { send: 'everyone', request: 'everyone', contacts: 'everyone', download: [bo.person] },
  });
  const guest = { workspace: 'T1', person: 'U-guest' };
  for (const actor of [anna, guest]) {
    expect(await failureOf(download(actor))).toMatchObject({ code: 'not-allowed' });
    expect(await failureOf(listInbox(services, actor))).toMatchObject({ code: 'not-allowed' });
  }
  expect(operationsOf(setup)).toEqual([]);
  expect((await audited(setup)).map(({ outcome }) => outcome)).toEqual(['not-allowed', 'not-allowed']);
  await download(bo);
  await download(admin);
});

test('an address not announced to this workspace is refused without a call', async () => {
  const setup = await setUpFiles();
  const { connectWorkspace, poll, arrive, server, download, url } = setup;
  const stranger = await connectWorkspace('T2');
  const theirs = await arrive('carl@example.org', ['theirs.pdf'], 't2@example.com');
  await poll();
  // Items that arrived after the last poll are not announced yet.
  const unpolled = await arrive();
  server.calls.splice(0);
  for (const itemUrl of [theirs.url, unpolled.url, 'guessed', '..', '.', '', 'a\0b', '\ud800', 'x'.repeat(9_000)]) {
    expect(await failureOf(download(anna, discard, { itemUrl })), itemUrl).toMatchObject({ code: 'not-found' });
  }
  expect(await failureOf(download(stranger, discard, { itemUrl: url }))).toMatchObject({ code: 'not-found' });
  expect(operationsOf(setup)).toEqual([]);
});

test('a file with a name over 4 KB is listed without a button and not requested', async () => {
  const setup = await setUpFiles();
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

test('an item or file that has disappeared is not found and not requested', async () => {
  const setup = await setUpFiles();
  const { account, download } = setup;
  account.inbox[0]?.files.splice(0, 1);
  expect(await failureOf(download(anna))).toMatchObject({ code: 'not-found' });
  account.inbox.splice(0);
  expect(await failureOf(download(anna, discard, { name: 'other.txt' }))).toMatchObject({ code: 'not-found' });
  expect(operationsOf(setup)).toEqual(['get_history', 'get_history']);
  expect(await recordedDownloads(setup)).toEqual([]);
});

test.each(['length', 'chunked'] as const)(
  'a truncated download framed by %s is never delivered as complete',
  async (framing) => {
    const setup = await setUpFiles();
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

test('a stream that breaks before it is read fails the download, not the process', async () => {
  const setup = await setUpFiles();
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

test('a file without length or chunked framing is refused as unverifiable', async () => {
  const setup = await setUpFiles();
  setup.server.behaviour.downloadFraming = 'until-close';
  const sink: Sink = () => Promise.reject(new Error('the sink was called'));
  expect(await failureOf(setup.download(anna, sink))).toMatchObject({ code: 'changed-format' });
  expect(await recordedDownloads(setup)).toEqual([]);
});

test('a failing sink fails the download with its own error and closes the source', async () => {
  const setup = await setUpFiles();
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

test('a sink that reads only part of the file fails the download', async () => {
  const setup = await setUpFiles();
  const sink: Sink = async ({ stream }) => {
    await once(stream, 'readable');
    stream.read();
  };
  expect(await failureOf(setup.download(anna, sink))).toMatchObject({ code: 'file-failed', names: ['plan.bin'] });
  expect(await recordedDownloads(setup)).toEqual([]);
});

test('an aborted download fails with the reason and is not recorded', async () => {
  const setup = await setUpFiles();
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

test('a completed download succeeds even if it cannot be recorded', async () => {
  const setup = await setUpFiles();
  const { services, download } = setup;
  const add = () => Promise.reject(new Error('the database is unavailable'));
  await download(anna, discard, { services: { ...services, queue: { ...services.queue, add } } });
  expect((await audited(setup)).map(({ outcome }) => outcome)).toEqual(['done']);
  // All or nothing: a recorded name without its job would never reach the post.
  expect(await recordedDownloads(setup)).toEqual([]);
});
