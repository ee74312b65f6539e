import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeContact } from '../../src/exchange/index.ts';
import { apiKey, bytesOf, fileOf, setUp, user } from '../helpers/exchange.ts';

const anna = makeContact({
  email: 'anna@example.org',
  number: '46701111111',
  language: 'en',
  groups: ['legal'],
  nick: 'Anna',
});
const bo = makeContact({ email: 'bo@example.org', number: '46702222222' });

test('1: signIn fetches one token', async () => {
  const { exchange, account } = await setUp();
  await exchange.signIn();
  expect(account.tokens).toHaveLength(1);
});

test('2 and 3: replaceContacts replaces the whole list, and readContacts reads it back', async () => {
  const { exchange, account } = await setUp();
  account.contacts.global.push({ email: 'all@example.org' });
  await exchange.replaceContacts([anna, bo]);
  expect(account.contacts.local).toEqual([JSON.parse(anna.json), JSON.parse(bo.json)]);
  const { local, global } = await exchange.readContacts();
  expect(local.map(({ json, ...view }) => view)).toEqual([
    { email: 'anna@example.org', number: '46701111111', language: 'en', groups: ['legal'], nick: 'Anna' },
    { email: 'bo@example.org', number: '46702222222', language: undefined, groups: [], nick: undefined },
  ]);
  expect(global.map(({ email }) => email)).toEqual(['all@example.org']);
  await exchange.replaceContacts([]);
  expect(account.contacts.local).toEqual([]);
});

test('4: setReceivers sets and clears the receivers', async () => {
  const { exchange, account } = await setUp();
  await exchange.setReceivers([anna]);
  expect(account.receivers).toEqual([JSON.parse(anna.json)]);
  await exchange.setReceivers([]);
  expect(account.receivers).toEqual([]);
});

test('5, 6 and 7: files are uploaded byte for byte, listed and removed', async () => {
  const { exchange, account, server } = await setUp();
  const bytes = Buffer.from('\r\n--not the end\r\n\0\xff');
  const progress: number[] = [];
  await exchange.upload(fileOf('a.pdf', bytes), { onProgress: (sent) => progress.push(sent) });
  await exchange.upload(fileOf('empty.txt', ''));
  expect(progress).toEqual([bytes.length]);
  const files = await exchange.listFiles();
  expect(files.map(({ name }) => name)).toEqual(['a.pdf', 'empty.txt']);
  expect(files[0]?.size).toMatch(/\d/);
  const digest = createHash('sha256').update(bytes).digest('hex');
  expect(account.uploads[0]).toMatchObject({ sha256: digest, bytes: bytes.length });
  expect(await server.readFile(digest)).toEqual(bytes);
  await exchange.removeFile('a.pdf');
  expect(await exchange.listFiles()).toHaveLength(1);
});

test('8: createDispatch sends the uploaded files to the receivers', async () => {
  const { exchange, account, server } = await setUp();
  await exchange.listFiles();
  await exchange.upload(fileOf('a.pdf', 'A'));
  await exchange.setReceivers([anna, bo]);
  await exchange.createDispatch({ expiresAfter: 7, message: 'Here it is' });
  expect(account.drops).toMatchObject([{ message: 'Here it is', ttl: 7, files: [{ name: 'a.pdf' }] }]);
  expect(server.outbox.map(({ to }) => to)).toEqual(['anna@example.org', 'bo@example.org']);
});

test('9: grantAccess gives the receivers an upload page', async () => {
  const { exchange, account } = await setUp();
  await exchange.setReceivers([bo]);
  await exchange.grantAccess({ expiresAfter: 2, message: 'Please send the contract' });
  expect(account.uploadPages).toMatchObject([
    { contact: { email: 'bo@example.org' }, message: 'Please send the contract' },
  ]);
});

test('10: readHistory lists transfers and counts active drops, readInbox lists items', async () => {
  const { exchange, server, clock } = await setUp();
  await exchange.listFiles();
  await exchange.upload(fileOf('a.pdf', 'A'));
  await exchange.setReceivers([anna]);
  await exchange.createDispatch({ expiresAfter: 7, message: 'Hi' });
  const item = await server.addInboxItem(user, { sender: 'bo@example.org', files: [{ name: 'reply.txt', data: 'R' }] });
  const history = await exchange.readHistory();
  expect(history.liveDrops).toBe(1);
  expect(history.entries).toMatchObject([
    {
      type: 'downloadfiles',
      createdAt: Math.floor(clock() / 1000),
      expiresAfter: '7',
      message: 'Hi',
      files: [{ name: 'a.pdf' }],
      recipients: [{ email: 'anna@example.org', number: '46701111111' }],
    },
  ]);
  const { items } = await exchange.readInbox();
  expect(items).toMatchObject([{ url: item.url, sender: 'bo@example.org', files: [{ name: 'reply.txt' }] }]);
  const messages = await exchange.readHistory({ pick: ({ message }) => message });
  expect(messages).toEqual({ entries: ['Hi'], total: 1, liveDrops: 1 });
  expect(await exchange.readHistory({ pick: () => undefined })).toEqual({ entries: [], total: 1, liveDrops: 1 });
});

test('11: download() streams an inbox file with its length', async () => {
  const { exchange, server } = await setUp();
  const data = Buffer.alloc(300_000, 'reply ');
  const { url } = await server.addInboxItem(user, { sender: 'bo@example.org', files: [{ name: 'reply.bin', data }] });
  const download = await exchange.download({ url, name: 'reply.bin' });
  expect(download.size).toBe(data.length);
  expect((await bytesOf(download.stream)).equals(data)).toBe(true);
});

test('the address can have a path, and the user name can have any case', async () => {
  const { client, callCount } = await setUp({ server: { basePath: '/exchange/v' } });
  await client({ username: ' API@Example.COM ' }).readContacts();
  expect(callCount('contacts_read')).toBe(1);
});

test.each(['a:b:c', 'påss wörd', 'line\nbreak', '\u0000\u0007', '😀'.repeat(50)])(
  'the API key %j is accepted',
  async (key) => {
    const { server, client } = await setUp();
    server.addAccount({ user: 'other@example.com', apiKey: key });
    await client({ username: 'other@example.com', apiKey: key }).readContacts();
    await expect(client({ username: 'other@example.com', apiKey: `${key}x` }).readContacts()).rejects.toMatchObject({
      code: 'credentials-refused',
    });
    expect(key).not.toBe(apiKey);
  },
);
