import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { expect, test } from 'vitest';
import { ExchangeError, type Operation } from '../../src/exchange/index.ts';
import { bytesOf, failureOf, setUp } from '../helpers/exchange.ts';
import { withAnswers } from '../helpers/odd-service.ts';
import { calls, commits } from '../helpers/operations.ts';
import { serve } from '../helpers/serve.ts';

const hundredMegabytes = 100_000_000;

/** Upper limit of what the sockets of both sides buffer in addition to what was read. */
const socketBufferBytes = 16_000_000;

/** Writes `part` repeatedly, up to 100 MB, as long as the client reads. Counts the bytes. */
function writeLarge(response: ServerResponse, part: string): { sent: number } {
  const chunk = Buffer.from(part.repeat(Math.ceil(65_536 / part.length)));
  const written = { sent: 0 };
  const more = () => {
    while (!response.destroyed && written.sent < hundredMegabytes) {
      written.sent += chunk.length;
      if (response.write(chunk)) continue;
      response.once('drain', more);
      return;
    }
    if (!response.destroyed) response.end();
  };
  more();
  return written;
}

/**
 * Answers that must be buffered to be parsed, each with the size at which the client gives up. Empty entries need far
 * more memory than their bytes.
 */
const largeAnswers: [name: Operation, what: string, prefix: string, part: string, maxBytes: number][] = [
  ['setReceivers', 'an endless status', '{"status":"', 'ok', 64 * 1024],
  ['upload', 'spaces', '', ' ', 64 * 1024],
  ['createDispatch', 'an endless unknown value', '{"x":"', 'ok', 64 * 1024],
  ['listFiles', 'files', '[{"name":"a"}', ',{"name":"a"}', 1024 ** 2],
  ['readContacts', 'empty contacts', '{"local":[{}', ',{}', 1024 ** 2],
  ['readContacts', 'one contact', '{"local":["', 'x', 8 * 1024 ** 2],
  ['readHistory', 'one transfer', '{"history":[{"ddmessage":"', 'x', 8 * 1024 ** 2],
  ['readHistory', 'empty items', '{"inbox":[{}', ',{}', 1024 ** 2],
  ['readHistory', 'items with nameless files', '{"inbox":[{}', `,{"files":[{}${',{}'.repeat(999)}]}`, 2 * 1024 ** 2],
  ['readHistory', 'one key', '{"', 'key', 8 * 1024 ** 2],
];

test.each(largeAnswers)('%s gives up on an answer of 100 MB: %s', async (name, _, prefix, part, maxBytes) => {
  let written = { sent: 0 };
  const exchange = await withAnswers((request, response) => {
    request.resume();
    response.write(prefix);
    written = writeLarge(response, part);
  });
  const call = calls.find((one) => one.name === name);
  const failure = await failureOf(call?.run(exchange) ?? Promise.resolve());
  expect(failure).toBeInstanceOf(ExchangeError);
  expect(failure.code).toBe(commits.some((one) => one.name === name) ? 'outcome-unknown' : 'changed-format');
  expect(written.sent).toBeLessThan(maxBytes + socketBufferBytes);
});

test("signIn doesn't read an account page of 100 MB completely", async () => {
  let written = { sent: 0 };
  const server = createServer((_, response) => {
    written = writeLarge(response, '<p>');
  });
  const baseUrl = await serve(server);
  const { client } = await setUp();
  const exchange = client({ baseUrl });
  expect(await failureOf(exchange.signIn())).toMatchObject({ code: 'changed-format', operation: 'signIn' });
  expect(written.sent).toBeLessThan(1024 ** 2 + socketBufferBytes);
});

test('only the beginning of an error page of 100 MB is read', async () => {
  for (const [status, type] of [
    [500, 'application/octet-stream'],
    [200, 'text/html'],
  ] as const) {
    let written = { sent: 0 };
    const exchange = await withAnswers((_, response) => {
      response.writeHead(status, { 'content-type': type, 'content-length': String(hundredMegabytes) });
      written = writeLarge(response, '<p>');
    });
    expect(await failureOf(exchange.download({ url: 'x', name: 'a.pdf' }))).toMatchObject({ code: 'refused' });
    expect(written.sent).toBeLessThan(64 * 1024 + socketBufferBytes);
  }
});

test("a download of 100 MB isn't buffered when its reader stops", async () => {
  let written = { sent: 0 };
  const exchange = await withAnswers((_, response) => {
    written = writeLarge(response, 'x');
  });
  const { stream } = await exchange.download({ url: 'x', name: 'a.pdf' });
  for await (const _ of stream) break;
  expect(written.sent).toBeLessThan(socketBufferBytes);
});

const shortLimits = { answerMs: 1_000, idleMs: 10_000, callMs: 2_000 };

/** All calls with a time limit. A download has none as long as bytes arrive. */
const limitedCalls = calls.filter(({ name }) => name !== 'download');

test('every call except a download times out if its answer arrives byte by byte', async () => {
  const exchange = await withAnswers(
    (request, response) => {
      request.resume();
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
    { limits: shortLimits },
  );
  await exchange.signIn();
  const codes = limitedCalls.map(async ({ run }) => (await failureOf(run(exchange))).code);
  expect(await Promise.all(codes)).toEqual(
    limitedCalls.map((call) => (commits.includes(call) ? 'outcome-unknown' : 'timeout')),
  );
});

test('every call times out if the headers of its answer arrive byte by byte', async () => {
  const page = '<input type="hidden" name="csrftoken" value="T0k3nT0k3n">';
  const server = createTcpServer((socket) => {
    let timer: NodeJS.Timeout | undefined;
    socket.on('error', () => {});
    socket.on('close', () => clearInterval(timer));
    socket.on('data', (chunk) => {
      if (/^GET \/[^/ ]+\/ HTTP/.test(String(chunk))) {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${page.length}\r\n\r\n${page}`);
      } else if (timer === undefined) {
        socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
        timer = setInterval(() => socket.write('x'), 20);
      }
    });
  });
  const baseUrl = await serve(server);
  const { client } = await setUp();
  const exchange = client({ baseUrl, limits: shortLimits });
  await exchange.signIn();
  const codes = calls.map(async ({ run }) => (await failureOf(run(exchange))).code);
  expect(await Promise.all(codes)).toEqual(
    calls.map((call) => (commits.includes(call) ? 'outcome-unknown' : 'timeout')),
  );
});

test('a download that arrives byte by byte completes, even beyond the call timeout', async () => {
  const size = (shortLimits.callMs + 400) / 20;
  const exchange = await withAnswers(
    (_, response) => {
      let left = size;
      const timer = setInterval(() => {
        if (--left > 0) response.write('x');
        else response.end('x');
      }, 20);
      response.on('close', () => clearInterval(timer));
    },
    { limits: shortLimits },
  );
  const { stream } = await exchange.download({ url: 'x', name: 'a.pdf' });
  expect(String(await bytesOf(stream))).toBe('x'.repeat(size));
});
