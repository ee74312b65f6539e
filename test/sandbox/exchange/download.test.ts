import { expect, test } from 'vitest';
import { apiKey, basic, type Exchange, loggedIn, rawRequest, user } from './helper.ts';

const day = 24 * 60 * 60_000;
const path = (url: string, name: string) => `/${encodeURIComponent(url)}/files/${encodeURIComponent(name)}`;

async function addFile(
  exchange: Exchange,
  name = 'a.txt',
  data: string | Uint8Array = 'the data',
  type = 'text/plain',
) {
  return exchange.server.addInboxItem(user, { sender: 'x@y', files: [{ name, data, type }], ttl: 1 });
}

test('a download returns the complete file with its length and type', async () => {
  const exchange = await loggedIn();
  const data = Buffer.alloc(300_000, 'abc');
  const item = await addFile(exchange, 'a.bin', data, 'application/json');
  const answer = await exchange.send('GET', path(item.url, 'a.bin'));
  expect(answer.body.equals(data)).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-length': '300000',
    'content-type': 'application/json',
    'cache-control': 'no-cache, no-store, must-revalidate',
    'x-content-type-options': 'nosniff',
  });
});

test('a file with any name can be downloaded', async () => {
  const exchange = await loggedIn();
  for (const name of ['a b.txt', 'a/b.txt', '../x', '100%.txt', 'é🦐?#.txt', '"\r\nX: y']) {
    const item = await addFile(exchange, name);
    const answer = await exchange.send('GET', path(item.url, name));
    expect(answer.text, name).toBe('the data');
    expect(answer.headers.x).toBeUndefined();
  }
});

test('a download sends the file name in ASCII and in UTF-8', async () => {
  const exchange = await loggedIn();
  const item = await addFile(exchange, 'räk "x" 100%/é.txt');
  const { headers } = await exchange.send('GET', path(item.url, 'räk "x" 100%/é.txt'));
  expect(headers['content-disposition']).toBe(
    `attachment; filename="r_k _x_ 100___.txt"; filename*=UTF-8''r%C3%A4k%20%22x%22%20100%25%2F%C3%A9.txt`,
  );
});

test('a download without a length ends when the connection is closed', async () => {
  const exchange = await loggedIn({ behaviour: { downloadFraming: 'until-close' } });
  const item = await addFile(exchange);
  const request = `GET /${user}${path(item.url, 'a.txt')} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(user, apiKey)}\r\nCSRF-Token: ${exchange.token}\r\n\r\n`;
  const { text, error } = await rawRequest(exchange.server.url, Buffer.from(request));
  const [head, body] = text.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 200/);
  expect(head).not.toMatch(/content-length|transfer-encoding/i);
  expect(head).toMatch(/^connection: close$/im);
  expect([body, error]).toEqual(['the data', undefined]);
});

test('an unknown or expired file is not found', async () => {
  const exchange = await loggedIn();
  const item = await addFile(exchange);
  for (const wrong of [path(item.url, 'b.txt'), path('x', 'a.txt'), path(item.url, ''), path(item.url, 'A.TXT')]) {
    expect((await exchange.send('GET', wrong)).status, wrong).toBe(404);
  }
  exchange.clock.now += day;
  await exchange.login();
  expect((await exchange.send('GET', path(item.url, 'a.txt'))).status).toBe(404);
});

test("another account's file is not found", async () => {
  const exchange = await loggedIn();
  exchange.server.addAccount({ user: 'other@example.com', apiKey: 'k' });
  const files = [{ name: 'a.txt', data: 'secret' }];
  const item = await exchange.server.addInboxItem('other@example.com', { sender: 'x@y', files });
  expect((await exchange.send('GET', path(item.url, 'a.txt'))).status).toBe(404);
});
