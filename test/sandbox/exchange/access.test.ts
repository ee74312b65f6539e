import selfsigned from 'selfsigned';
import { expect, test } from 'vitest';
import { apiKey, basic, loggedIn, rawRequest, startExchange, user } from './helper.ts';

const json = { 'content-type': 'application/json' };

test('the index is an HTML page of over 2,000 bytes with a token', async () => {
  const exchange = await startExchange();
  const page = await exchange.send('GET', '/');
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.body.length).toBeGreaterThan(2000);
  expect(await exchange.login()).toHaveLength(44);
});

test('the URL of the index without a trailing slash returns 404', async () => {
  const exchange = await startExchange();
  expect((await exchange.send('GET', '')).status).toBe(404);
  expect(exchange.account.tokens).toEqual([]);
});

test('a successful answer has all documented headers', async () => {
  const exchange = await loggedIn();
  for (const answer of [await exchange.send('GET', '/'), await exchange.get('contacts_read')]) {
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-cache, no-store, must-revalidate',
      expires: '0',
      pragma: 'no-cache',
      'strict-transport-security': expect.any(String),
      'content-security-policy': expect.any(String),
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      'x-xss-protection': expect.any(String),
    });
  }
});

test.each([
  ['no credentials', undefined],
  ['a wrong key', basic(user, 'wrong')],
  ['a key cut at its first colon', basic(user, 'kéy')],
  ['an unknown user', basic('nobody@example.com', apiKey)],
  ['an upper-case user name', basic(user.toUpperCase(), apiKey)],
  ['another authorization scheme', 'Bearer abc'],
  ['credentials without a colon', `Basic ${Buffer.from('abc').toString('base64')}`],
  ['a key that is not UTF-8', `Basic ${Buffer.from(`${user}:kéy:with:colons`, 'latin1').toString('base64')}`],
])('a request with %s is refused on known and unknown paths', async (_, authorization) => {
  const exchange = await loggedIn();
  for (const path of ['/', '/cgi/contacts_read.cgi', '/x/files/y', '/nowhere']) {
    const answer = await exchange.send('GET', path, { authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
  }
});

test('a key or token is accepted only on the path of its own user', async () => {
  const exchange = await loggedIn();
  exchange.server.addAccount({ user: 'other@example.com', apiKey: 'k' });
  const url = `${exchange.server.url}/other@example.com/cgi/contacts_read.cgi`;
  expect((await exchange.raw(url, 'GET', exchange.headers())).status).toBe(401);
  const own = { authorization: basic('other@example.com', 'k'), 'csrf-token': exchange.token };
  expect((await exchange.raw(url, 'GET', own)).status).toBe(403);
});

test('the user in a path can be percent-encoded, but not malformed', async () => {
  const exchange = await startExchange();
  const { authorization } = exchange.headers();
  const at = (path: string) => exchange.raw(`${exchange.server.url}${path}`, 'GET', { authorization });
  expect((await at('/api%40example.com/')).status).toBe(200);
  expect((await at('/api%4/')).status).toBe(400);
  expect((await at('/api@example.com%2F')).status).toBe(401);
  expect((await at('/%ff/')).status).toBe(400);
});

test('an unknown path is refused and not logged as an operation', async () => {
  const exchange = await loggedIn();
  const before = exchange.server.calls.length;
  for (const path of ['/cgi/nothing.cgi', '/cgi', '//', '/cgi/get_files.cgi/', '/a/files/b/c', '/a/Files/b']) {
    expect((await exchange.send('GET', path)).status, path).toBe(404);
  }
  expect((await exchange.raw(`${exchange.server.url}/`)).status).toBe(401);
  expect(exchange.server.calls).toHaveLength(before);
});

test('a wrong method is refused, and the answer names the allowed method', async () => {
  const exchange = await loggedIn();
  const wrong: [string, string, string][] = [
    ['POST', '/', 'GET'],
    ['HEAD', '/', 'GET'],
    ['POST', '/cgi/get_files.cgi', 'GET'],
    ['POST', '/cgi/remove_file.cgi?filename=x', 'GET'],
    ['GET', '/cgi/createdrop.cgi', 'POST'],
    ['PUT', '/cgi/upload.cgi', 'POST'],
    ['DELETE', '/a/files/b', 'GET'],
  ];
  for (const [method, path, allowed] of wrong) {
    const answer = await exchange.send(method, path, method === 'PUT' ? json : {});
    expect([answer.status, answer.headers.allow], path).toEqual([405, allowed]);
  }
});

test('with a base path, the API is served only below it', async () => {
  const exchange = await loggedIn({ basePath: '/some/base/' });
  expect(exchange.server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/some\/base$/);
  expect((await exchange.get('get_files')).text).toBe('[]');
  const root = exchange.server.url.replace('/some/base', '');
  for (const path of ['', '/some', '/other/base', '/some/base/base']) {
    const answer = await exchange.raw(`${root}${path}/${user}/`, 'GET', exchange.headers());
    expect(answer.status, path).toBe(path === '/some/base/base' ? 401 : 404);
  }
});

test('the reference service can use HTTPS', async () => {
  const { private: key, cert } = await selfsigned.generate([{ name: 'commonName', value: 'localhost' }]);
  const exchange = await loggedIn({ tls: { key, cert } });
  expect(exchange.server.url).toMatch(/^https:/);
  expect((await exchange.get('get_files')).text).toBe('[]');
  expect(exchange.server.connections()).toBeGreaterThan(0);
});

test('a request target that is not a path is refused', async () => {
  const exchange = await startExchange();
  const bytes = Buffer.from('GET http://elsewhere/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect((await rawRequest(exchange.server.url, bytes)).text).toMatch(/^HTTP\/1.1 400/);
});

test('a new account needs an unused lower-case email address and a key', async () => {
  const { server } = await startExchange();
  expect(() => server.addAccount({ user: 'Api2@example.com', apiKey: 'k' })).toThrow('lower-case');
  expect(() => server.addAccount({ user: 'page', apiKey: 'k' })).toThrow('e-mail');
  expect(() => server.addAccount({ user: 'b@example.com', apiKey: '' })).toThrow('key');
  expect(() => server.addAccount({ user, apiKey: 'k' })).toThrow('already');
  expect(() => server.account('c@example.com')).toThrow('no account');
});
