import { expect, test } from 'vitest';
import type { Behaviour } from '../../../src/sandbox/exchange/index.ts';
import { type Exchange, loggedIn } from './helper.ts';

/** Requests that are refused for their credentials, token, path, method, body, a precondition or an unknown file. */
const refusedRequests: ((exchange: Exchange) => Promise<{ status: number; text: string; headers: object }>)[] = [
  (exchange) => exchange.send('GET', '/', { authorization: undefined }),
  (exchange) => exchange.send('GET', '/cgi/get_files.cgi', { 'csrf-token': undefined }),
  (exchange) => exchange.send('GET', '/cgi/nothing.cgi'),
  (exchange) => exchange.send('GET', '/%zz'),
  (exchange) => exchange.send('DELETE', '/cgi/get_files.cgi'),
  (exchange) => exchange.post('contacts_add', 'x'),
  (exchange) => exchange.post('createdrop', { desttime: 1, ddmessage: '' }),
  (exchange) => exchange.get('remove_file', '?filename=none'),
  (exchange) => exchange.uploadBody(Buffer.from('x')),
  (exchange) => exchange.send('GET', '/none/files/x'),
];

const startWithRefusals = (failure: Behaviour['failure'], status: Behaviour['status'] = 'plain') =>
  loggedIn({ behaviour: { failure, status } });

test('by default, a refusal is a status code with a line of text', async () => {
  const exchange = await startWithRefusals('status');
  for (const refuse of refusedRequests) {
    const answer = await refuse(exchange);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
    expect(answer.text).toMatch(/^.+ .+\n$/);
  }
});

test('a refusal can be an HTML page with status 200', async () => {
  const exchange = await startWithRefusals('html');
  for (const refuse of refusedRequests) {
    const answer = await refuse(exchange);
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(answer.text).toMatch(/<p>.+ .+<\/p>/);
  }
});

test('a refusal can be JSON with status 200', async () => {
  const exchange = await startWithRefusals('json');
  for (const refuse of refusedRequests) {
    expect(await refuse(exchange)).toMatchObject({ status: 200, text: '{"status":"error"}' });
  }
});

test('the status of a JSON refusal can be an object', async () => {
  const exchange = await startWithRefusals('json', 'structured');
  for (const refuse of refusedRequests) {
    expect(JSON.parse((await refuse(exchange)).text)).toEqual({
      status: { code: 'error', message: expect.stringMatching(/.+ .+/) },
    });
  }
});

test('a refusal can be empty with status 200', async () => {
  const exchange = await startWithRefusals('empty');
  for (const refuse of refusedRequests) expect(await refuse(exchange)).toMatchObject({ status: 200, text: '' });
});

test('texts from a request are escaped in an HTML refusal', async () => {
  const exchange = await startWithRefusals('html');
  await exchange.post('contacts_add', [{ email: 'a' }]);
  const duplicates = [{ email: '<script>alert(1)</script>' }, { email: '<script>alert(1)</script>' }];
  const answer = await exchange.post('contacts_add', duplicates);
  expect(answer.text).toContain('&lt;script&gt;');
  expect(answer.text).not.toContain('<script>');
});

test('the status of a successful answer can be an object', async () => {
  const exchange = await loggedIn({ behaviour: { status: 'structured' } });
  expect(JSON.parse((await exchange.post('contacts_add', [])).text)).toEqual({
    status: { code: 'ok', message: expect.any(String) },
  });
  expect(JSON.parse((await exchange.upload('a', 'b')).text)).toMatchObject({ status: { code: 'done' } });
  expect(JSON.parse((await exchange.get('remove_file', '?filename=a')).text)).toMatchObject({
    status: { code: 'deldone' },
  });
});
