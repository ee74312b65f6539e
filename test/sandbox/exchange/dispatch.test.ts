import { expect, test } from 'vitest';
import { ada, bo, loggedIn, user } from './helper.ts';

const parameters = { desttime: 7, ddmessage: 'Here it is.' };
const day = 24 * 60 * 60_000;

test('a dispatch sends all uploaded files to all receivers, each with a page of their own and a mail', async () => {
  const exchange = await loggedIn();
  await exchange.prepare('a.txt', 'aaa');
  await exchange.upload('b.txt', 'bbb');
  await exchange.post('receivers_set', [ada, bo]);
  const answer = await exchange.post('createdrop', parameters);
  expect(answer.text).toBe('{"status":"ok"}');

  const [drop] = exchange.account.drops;
  expect(drop).toMatchObject({
    type: 'downloadfiles',
    createdAt: exchange.clock.now,
    expiresAt: exchange.clock.now + 7 * day,
    ttl: 7,
    message: 'Here it is.',
    receivers: [ada, bo],
  });
  expect(drop?.files.map((file) => file.name)).toEqual(['a.txt', 'b.txt']);
  const urls = drop?.pages.map((page) => page.url) ?? [];
  expect(new Set(urls).size).toBe(2);
  for (const url of urls) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/page\/[\w-]{43}$/);
  expect(exchange.server.outbox).toEqual([
    {
      at: exchange.clock.now,
      from: user,
      to: ada.email,
      subject: expect.any(String),
      message: 'Here it is.',
      link: urls[0],
    },
    {
      at: exchange.clock.now,
      from: user,
      to: bo.email,
      subject: expect.any(String),
      message: 'Here it is.',
      link: urls[1],
    },
  ]);
});

test('without receivers there is no dispatch', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  await exchange.post('receivers_set', []);
  expect((await exchange.post('createdrop', parameters)).status).toBe(409);
  expect(exchange.account.drops).toEqual([]);
  expect(exchange.server.outbox).toEqual([]);
});

test('without files there is no dispatch', async () => {
  const exchange = await loggedIn();
  await exchange.post('receivers_set', [ada]);
  await exchange.get('get_files');
  expect((await exchange.post('createdrop', parameters)).status).toBe(409);
});

test('nothing can be shared before get_files.cgi was called; what was uploaded earlier can be then', async () => {
  const exchange = await loggedIn();
  await exchange.post('receivers_set', [ada]);
  await exchange.upload('a', 'x');
  expect((await exchange.post('createdrop', parameters)).status).toBe(409);
  await exchange.get('get_files');
  expect((await exchange.post('createdrop', parameters)).status).toBe(200);
});

test('after a dispatch the uploads are gone, the list is to be initialised anew, and the receivers stay', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  await exchange.post('createdrop', parameters);
  expect(exchange.account.receivers).toEqual([ada]);
  expect((await exchange.get('get_files')).text).toBe('[]');
  exchange.account.filesInitialised = false;
  await exchange.upload('b', 'x');
  expect((await exchange.post('createdrop', parameters)).status).toBe(409);
  await exchange.get('get_files');
  expect((await exchange.post('createdrop', parameters)).status).toBe(200);
});

test('a dispatch that clears the uploads also takes back the initialisation', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  await exchange.post('createdrop', parameters);
  await exchange.upload('next', 'x');
  expect((await exchange.post('createdrop', parameters)).text).toContain('get_files');
});

test('a service that keeps the uploads sends them again', async () => {
  const exchange = await loggedIn({ behaviour: { uploadsAfterDispatch: 'kept' } });
  await exchange.prepare();
  await exchange.post('createdrop', parameters);
  expect((await exchange.post('createdrop', parameters)).status).toBe(200);
  expect(exchange.account.drops).toHaveLength(2);
  expect(exchange.account.uploads).toHaveLength(1);
  expect(exchange.account.receivers).toEqual([ada]);
});

test('what was sent does not change with the account', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  await exchange.post('createdrop', parameters);
  await exchange.post('receivers_set', [bo]);
  expect(exchange.account.drops[0]?.receivers).toEqual([ada]);
});

test.each([
  ['no object', []],
  ['no time', { ddmessage: '' }],
  ['a time in words', { desttime: '7', ddmessage: '' }],
  ['a time before now', { desttime: -1, ddmessage: '' }],
  ['no time at all', { desttime: null, ddmessage: '' }],
  ['no message', { desttime: 1 }],
  ['a message that is no string', { desttime: 1, ddmessage: 5 }],
])('%s is refused by dispatch and grant', async (_, sent) => {
  const exchange = await loggedIn();
  await exchange.prepare();
  expect((await exchange.post('createdrop', sent)).status).toBe(400);
  expect((await exchange.post('givedrop', sent)).status).toBe(400);
  expect(exchange.account.drops).toEqual([]);
  expect(exchange.account.uploads).toHaveLength(1);
});

test('a number too large for a number is refused', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  const body = '{"desttime":1e999,"ddmessage":""}';
  const answer = await exchange.send('POST', '/cgi/createdrop.cgi', { 'content-type': 'application/json' }, body);
  expect(answer.status).toBe(400);
});

test('a grant gives every receiver an upload page and a mail, and needs no files', async () => {
  const exchange = await loggedIn();
  expect((await exchange.post('givedrop', parameters)).status).toBe(409);
  await exchange.post('receivers_set', [ada, bo]);
  expect((await exchange.post('givedrop', parameters)).text).toBe('{"status":"ok"}');
  expect(exchange.account.uploadPages.map((page) => page.contact)).toEqual([ada, bo]);
  expect(exchange.server.outbox.map((mail) => [mail.to, mail.link])).toEqual(
    exchange.account.uploadPages.map((page) => [page.contact.email, page.url]),
  );
  expect(exchange.account.drops).toMatchObject([{ type: 'uploadfiles', files: [], receivers: [ada, bo], pages: [] }]);
  expect(exchange.account.receivers).toEqual([ada, bo]);
});

test('a grant leaves the uploaded files alone', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  await exchange.post('givedrop', parameters);
  expect(exchange.account.uploads).toHaveLength(1);
  expect((await exchange.post('createdrop', parameters)).status).toBe(200);
});
