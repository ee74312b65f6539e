import { expect, test } from 'vitest';
import { ada, bo, loggedIn, user } from './helper.ts';

const parameters = { desttime: 7, ddmessage: 'Here it is.' };
const day = 24 * 60 * 60_000;

test('a dispatch sends all uploads to all receivers, each with a page and an email', async () => {
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

test('a dispatch without receivers is refused', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  await exchange.post('receivers_set', []);
  expect((await exchange.post('createdrop', parameters)).status).toBe(409);
  expect(exchange.account.drops).toEqual([]);
  expect(exchange.server.outbox).toEqual([]);
});

test('a dispatch without files is refused', async () => {
  const exchange = await loggedIn();
  await exchange.post('receivers_set', [ada]);
  await exchange.get('get_files');
  expect((await exchange.post('createdrop', parameters)).status).toBe(409);
});

test('a dispatch is refused until get_files.cgi is called', async () => {
  const exchange = await loggedIn();
  await exchange.post('receivers_set', [ada]);
  await exchange.upload('a', 'x');
  expect((await exchange.post('createdrop', parameters)).status).toBe(409);
  await exchange.get('get_files');
  expect((await exchange.post('createdrop', parameters)).status).toBe(200);
});

test('a dispatch clears the uploads and keeps the receivers', async () => {
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

test('after a dispatch, get_files.cgi must be called again', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  await exchange.post('createdrop', parameters);
  await exchange.upload('next', 'x');
  expect((await exchange.post('createdrop', parameters)).text).toContain('get_files');
});

test('if the service keeps uploads, it sends them again with the next dispatch', async () => {
  const exchange = await loggedIn({ behaviour: { uploadsAfterDispatch: 'kept' } });
  await exchange.prepare();
  await exchange.post('createdrop', parameters);
  expect((await exchange.post('createdrop', parameters)).status).toBe(200);
  expect(exchange.account.drops).toHaveLength(2);
  expect(exchange.account.uploads).toHaveLength(1);
  expect(exchange.account.receivers).toEqual([ada]);
});

test('new receivers do not change an earlier dispatch', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  await exchange.post('createdrop', parameters);
  await exchange.post('receivers_set', [bo]);
  expect(exchange.account.drops[0]?.receivers).toEqual([ada]);
});

test.each([
  ['a body that is not an object', []],
  ['a missing desttime', { ddmessage: '' }],
  ['a desttime in a string', { desttime: '7', ddmessage: '' }],
  ['a negative desttime', { desttime: -1, ddmessage: '' }],
  ['a null desttime', { desttime: null, ddmessage: '' }],
  ['a missing ddmessage', { desttime: 1 }],
  ['a ddmessage that is not a string', { desttime: 1, ddmessage: 5 }],
])('createdrop and givedrop refuse %s', async (_, sent) => {
  const exchange = await loggedIn();
  await exchange.prepare();
  expect((await exchange.post('createdrop', sent)).status).toBe(400);
  expect((await exchange.post('givedrop', sent)).status).toBe(400);
  expect(exchange.account.drops).toEqual([]);
  expect(exchange.account.uploads).toHaveLength(1);
});

test('a desttime that overflows to infinity is refused', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  const body = '{"desttime":1e999,"ddmessage":""}';
  const answer = await exchange.send('POST', '/cgi/createdrop.cgi', { 'content-type': 'application/json' }, body);
  expect(answer.status).toBe(400);
});

test('givedrop gives each receiver an upload page and an email, and needs no files', async () => {
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

test('givedrop keeps the uploaded files', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  await exchange.post('givedrop', parameters);
  expect(exchange.account.uploads).toHaveLength(1);
  expect((await exchange.post('createdrop', parameters)).status).toBe(200);
});
