import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { readableText } from '../../src/exchange/service-text.ts';
import { findToken } from '../../src/exchange/token-page.ts';
import { apiKey, bytesOf, failureOf, fileOf, setUp, user } from '../helpers/exchange.ts';
import { withAnswers, withRawAnswers } from '../helpers/odd-service.ts';

const many = 300_000;

// A parser that builds a tree or looks ahead needs minutes for each of these, so the test would time out.
test.each([
  ['elements that never close', '<q>'.repeat(many) + '</z>'.repeat(many)],
  ['quotes that never close', '<a "'.repeat(many)],
  ['comments that never close', '<!--'.repeat(many)],
  ['scripts that never close', '<script>'.repeat(many)],
  ['lone brackets', '<'.repeat(4 * many)],
  ['tokens without a value', '<input name=csrftoken>'.repeat(many / 6)],
  ['titles', '<title></title>'.repeat(many / 4)],
  ['entities', `<p>${'&amp;'.repeat(many)}`],
])('a page of %s is parsed in linear time', (_, html) => {
  expect(findToken(html)).toBeUndefined();
  expect(readableText(html).length).toBeLessThan(3_000);
});

// V8 optimises code after some runs, which can make it much slower (see `walkHtml`).
test('a deeply nested page is parsed in linear time even after ten other pages', () => {
  const page = `${'<p>some text</p>'.repeat(30_000)}<input type="hidden" name="csrftoken" value="abc">`;
  for (let count = 0; count < 10; count += 1) expect(findToken(page)).toBe('abc');
  expect(findToken('<q>'.repeat(many) + '</z>'.repeat(many))).toBeUndefined();
});

test('a deeply nested error page is reported as refused', async () => {
  const { exchange, server } = await setUp();
  const answer = { status: 500, body: '<q>'.repeat(20_000) };
  server.addFault({ operation: 'contacts_read', kind: 'answer', times: 2, answer });
  expect(await failureOf(exchange.readContacts())).toMatchObject({ code: 'refused', status: 500 });
});

const endless = (part: string) =>
  withAnswers(
    (_, response) => {
      const timer = setInterval(() => response.write(part), 1);
      response.on('close', () => clearInterval(timer));
    },
    { limits: { statusBytes: 1000, filesBytes: 1000, callMs: 3000 } },
  );

test('an endless file list is aborted at the size limit', async () => {
  expect(await failureOf((await endless(' '.repeat(100))).listFiles())).toMatchObject({ code: 'changed-format' });
});

test.each([
  ['readContacts', '{"global":[],"local":[{}'],
  ['readInbox', '{"inbox":[{}'],
  ['readHistory', '{"history":[{}'],
] as const)('%s aborts an endless list at the size limit', async (call, begin) => {
  const exchange = await withAnswers(
    (_, response) => {
      response.write(begin);
      const timer = setInterval(() => response.write(',{"email":"a@example.org"}'.repeat(10)), 1);
      response.on('close', () => clearInterval(timer));
    },
    { limits: { listBytes: 1000, historyBytes: 1000, callMs: 3000 } },
  );
  expect(await failureOf(exchange[call]())).toMatchObject({
    code: 'changed-format',
    message: expect.stringContaining('at most 1000'),
  });
});

test('an endless error page is aborted and reported as refused', async () => {
  const exchange = await withAnswers(
    (_, response) => {
      response.writeHead(500);
      const timer = setInterval(() => response.write('no '.repeat(500)), 1);
      response.on('close', () => clearInterval(timer));
    },
    { limits: { statusBytes: 2000, callMs: 3000 } },
  );
  expect(await failureOf(exchange.listFiles())).toMatchObject({ code: 'refused', status: 500 });
});

test('an endless page instead of a file is reported as refused', async () => {
  const exchange = await withAnswers((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const timer = setInterval(() => response.write('x'.repeat(16_000)), 1);
    response.on('close', () => clearInterval(timer));
  });
  expect(await failureOf(exchange.download({ url: 'x', name: 'a.pdf' }))).toMatchObject({ code: 'refused' });
});

test('an endlessly slow answer to an upload times out', async () => {
  const exchange = await withAnswers(
    (request, response) => {
      request.resume();
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
    { limits: { callMs: 200 } },
  );
  expect(await failureOf(exchange.upload(fileOf('a', 'a')))).toMatchObject({ code: 'timeout', operation: 'upload' });
});

test('an answer that stops midway times out', async () => {
  const exchange = await withAnswers((_, response) => response.write('['), { limits: { idleMs: 50 } });
  const failure = await failureOf(exchange.listFiles());
  expect(failure).toMatchObject({ code: 'timeout', message: expect.stringContaining('was cut off') });
});

test('a call can be aborted while it reads an answer or an error page', async () => {
  for (const status of [200, 500]) {
    const controller = new AbortController();
    const exchange = await withAnswers((_, response) => {
      response.writeHead(status).write('[');
      setTimeout(() => controller.abort(new Error('given up')), 20);
    });
    expect(await failureOf(exchange.listFiles({ signal: controller.signal }))).toBe(controller.signal.reason);
  }
});

test.each([
  ['chunked, identity', false],
  ['x-chunked', false],
  ['gzip, chunked', false],
  ['chunked, foo', true],
  ['x-chunked', true],
])('a download with an unsupported transfer encoding is rejected: %s (reset: %s)', async (coding, reset) => {
  const head = `HTTP/1.1 200 OK\r\ntransfer-encoding: ${coding}\r\n\r\n`;
  const exchange = await withRawAnswers(() => `${head}this is cut`, { reset });
  const download = exchange.download({ url: 'item', name: 'f.bin' }).then(({ stream }) => bytesOf(stream));
  expect((await failureOf(download)).name).toBe('ExchangeError');
});

test.each([false, true])('a call whose answer has truncated chunks is not retried (reset: %s)', async (reset) => {
  let requests = 0;
  const exchange = await withRawAnswers(
    () => {
      requests += 1;
      return 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n5\r\n{"sta\r\n';
    },
    { reset },
  );
  await exchange.signIn();
  expect(await failureOf(exchange.replaceContacts([]))).toMatchObject({ code: 'cut-short' });
  expect(requests).toBe(1);
});

test('an invalid HTTP answer fails as not-the-service, without echoed headers', async () => {
  const exchange = await withRawAnswers(
    (request) => `HTTP/1.1 200 OK\r\nBad Header ${request.replace(/\r\n/g, ' ')}\r\n\r\n`,
  );
  const failure = await failureOf(exchange.readContacts());
  expect(failure).toMatchObject({ code: 'not-the-service', message: expect.stringContaining('HTTP') });
  const printed = inspect(failure, { depth: 10, showHidden: true });
  expect(printed).not.toContain(Buffer.from(`${user}:${apiKey}`).toString('base64'));
  expect(printed).not.toContain('T0k3nT0k3n');
});
