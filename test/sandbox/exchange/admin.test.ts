import { load } from 'cheerio';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { ada, loggedIn, startExchange, user } from './helper.ts';

const json = { 'content-type': 'application/json' };
const hostile = '<script>alert(1)</script>';

test('the admin port is off by default', async () => {
  expect((await startExchange()).server.adminUrl).toBeUndefined();
});

test('the admin page shows accounts and emails with links, and escapes texts', async () => {
  const exchange = await loggedIn({ adminPort: 0 });
  const empty = load((await exchange.raw(`${exchange.server.adminUrl}/`)).text);
  expect(empty('main').text()).toContain('Nothing was sent yet');
  await exchange.prepare();
  await exchange.post('createdrop', { desttime: 1, ddmessage: hostile });
  const page = load((await exchange.raw(`${exchange.server.adminUrl}/`)).text);
  expect(page('main').text()).toContain(user);
  expect(page('td.message').text()).toBe(hostile);
  expect(page('script')).toHaveLength(0);
  const link = page('a[rel=noreferrer]').attr('href') ?? '';
  expect((await exchange.raw(link)).status).toBe(200);
  const state = page('a[href^="/state/"]').attr('href');
  expect((await exchange.raw(`${exchange.server.adminUrl}${state}`)).status).toBe(200);
});

test('the admin port returns state, outbox and calls as JSON', async () => {
  const exchange = await loggedIn({ adminPort: 0 });
  await exchange.post('contacts_add', [ada]);
  const get = async (path: string) => JSON.parse((await exchange.raw(`${exchange.server.adminUrl}${path}`)).text);
  expect(await get(`/state/${user}`)).toMatchObject({ user, contacts: { local: [ada], global: [] } });
  expect(await get('/outbox')).toEqual([]);
  expect(await get('/calls')).toMatchObject([{ operation: 'index' }, { operation: 'contacts_add', outcome: 'done' }]);
});

test('the admin port adds accounts and inbox items, and refuses invalid ones', async () => {
  const exchange = await startExchange({ adminPort: 0 });
  const { server } = exchange;
  const post = (path: string, body: unknown, headers: Record<string, string> = json) =>
    exchange.raw(`${server.adminUrl}${path}`, 'POST', headers, JSON.stringify(body));
  const account = { user: 'new@example.com', apiKey: 'k', global: [ada] };
  expect((await post('/accounts', account)).status).toBe(201);
  expect(server.account('new@example.com').contacts.global).toEqual([ada]);
  const item = { sender: 'x@y', ttl: 3, files: [{ name: 'n', data: Buffer.from('data').toString('base64') }] };
  expect((await post('/accounts/new@example.com/inbox', item)).status).toBe(201);
  const [added] = server.account('new@example.com').inbox;
  expect(added).toMatchObject({ sender: 'x@y', ttl: 3 });
  expect((await server.readFile(added?.files[0]?.sha256 ?? '')).toString()).toBe('data');

  expect((await post('/accounts', account)).status).toBe(400);
  expect((await post('/accounts', { user: 'x' })).status).toBe(400);
  expect((await post('/accounts', { ...account, user: 'b@c', global: [1] })).status).toBe(400);
  expect((await post('/accounts/none@example.com/inbox', item)).status).toBe(404);
  expect((await post('/accounts/new@example.com/inbox', { sender: 'x' })).status).toBe(400);
  expect((await post('/accounts', { user: 'c@d', apiKey: 'k' }, { 'content-type': 'text/plain' })).status).toBe(415);
  expect(() => server.account('c@d')).toThrow();
});

test('the admin port returns 404 for unknown paths', async () => {
  const exchange = await startExchange({ adminPort: 0 });
  for (const path of ['/x', '/state', '/state/none', '/outbox/x', '//']) {
    expect((await exchange.raw(`${exchange.server.adminUrl}${path}`)).status, path).toBe(404);
  }
  expect((await exchange.raw(`${exchange.server.adminUrl}/outbox`, 'DELETE')).status).toBe(404);
});

test('the admin port accepts loopback host names with its own port only', async () => {
  const { server } = await startExchange({ adminPort: 0 });
  const { port } = new URL(server.adminUrl ?? '');
  const requestAs = async (host: string, extra = {}) => {
    const { statusCode, body } = await request(`${server.adminUrl}/outbox`, { headers: { host, ...extra } });
    await body.dump();
    return statusCode;
  };
  for (const name of ['localhost', '127.0.0.1', '[::1]']) {
    expect(await requestAs(`${name}:${port}`)).toBe(200);
    for (const host of [name, `${name}:1`]) expect(await requestAs(host)).toBe(403);
  }
  expect(await requestAs(`localhost:${port}`, { 'sec-fetch-site': 'same-site' })).toBe(403);
  for (const name of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'x@localhost']) {
    expect(await requestAs(`${name}:${port}`)).toBe(403);
  }
});
