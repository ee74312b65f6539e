import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { expect, test } from 'vitest';
import { ExchangeError, type Operation } from '../../src/exchange/index.ts';
import { bytesOf, failureOf, setUp } from '../helpers/exchange.ts';
import { withAnswers } from '../helpers/odd-service.ts';
import { calls, commits } from '../helpers/operations.ts';
import { serve } from '../helpers/serve.ts';

const hundredMegabytes = 100_000_000;

/** What the sockets of both sides can buffer beyond what was read. */
const onTheWay = 16_000_000;

/** Repeats `part` up to 100 MB as long as the client reads. Counts what was sent. */
function pour(response: ServerResponse, part: string): { sent: number } {
  const chunk = Buffer.from(part.repeat(Math.ceil(65_536 / part.length)));
  const poured = { sent: 0 };
  const more = () => {
    while (!response.destroyed && poured.sent < hundredMegabytes) {
      poured.sent += chunk.length;
      if (response.write(chunk)) continue;
      response.once('drain', more);
      return;
    }
    if (!response.destroyed) response.end();
  };
  more();
  return poured;
}

/**
 * Answers that must be buffered to be read, each with the size at which the client gives up. Empty entries take far
 * more memory than they have bytes.
 */
const heavy: [name: Operation, what: string, begin: string, part: string, most: number][] = [
  ['setReceivers', 'an endless word', '{"status":"', 'ok', 64 * 1024],
  ['upload', 'spaces', '', ' ', 64 * 1024],
  ['createDispatch', 'some other value', '{"x":"', 'ok', 64 * 1024],
  ['listFiles', 'files', '[{"name":"a"}', ',{"name":"a"}', 1024 ** 2],
  ['readContacts', 'empty contacts', '{"local":[{}', ',{}', 1024 ** 2],
  ['readContacts', 'one contact', '{"local":["', 'x', 8 * 1024 ** 2],
  ['readHistory', 'one transfer', '{"history":[{"ddmessage":"', 'x', 8 * 1024 ** 2],
  ['readHistory', 'empty items', '{"inbox":[{}', ',{}', 1024 ** 2],
  ['readHistory', 'items with nameless files', '{"inbox":[{}', `,{"files":[{}${',{}'.repeat(999)}]}`, 2 * 1024 ** 2],
  ['readHistory', 'one key', '{"', 'key', 8 * 1024 ** 2],
];

test.each(heavy)('%s gives up on an answer of 100 MB: %s', async (name, _, begin, part, most) => {
  let poured = { sent: 0 };
  const exchange = await withAnswers((request, response) => {
    request.resume();
    response.write(begin);
    poured = pour(response, part);
  });
  const call = calls.find((one) => one.name === name);
  const failure = await failureOf(call?.run(exchange) ?? Promise.resolve());
  expect(failure).toBeInstanceOf(ExchangeError);
  expect(failure.code).toBe(commits.some((one) => one.name === name) ? 'outcome-unknown' : 'changed-format');
  expect(poured.sent).toBeLessThan(most + onTheWay);
});

test('an account page of 100 MB is not read to its end', async () => {
  let poured = { sent: 0 };
  const server = createServer((_, response) => {
    poured = pour(response, '<p>');
  });
  const baseUrl = await serve(server);
  const { client } = await setUp();
  const exchange = client({ baseUrl });
  expect(await failureOf(exchange.signIn())).toMatchObject({ code: 'changed-format', operation: 'signIn' });
  expect(poured.sent).toBeLessThan(1024 ** 2 + onTheWay);
});

test('of a refusal or page of 100 MB, only the beginning is read', async () => {
  for (const [status, type] of [
    [500, 'application/octet-stream'],
    [200, 'text/html'],
  ] as const) {
    let poured = { sent: 0 };
    const exchange = await withAnswers((_, response) => {
      response.writeHead(status, { 'content-type': type, 'content-length': String(hundredMegabytes) });
      poured = pour(response, '<p>');
    });
    expect(await failureOf(exchange.download({ url: 'x', name: 'a.pdf' }))).toMatchObject({ code: 'refused' });
    expect(poured.sent).toBeLessThan(64 * 1024 + onTheWay);
  }
});

test('a file of 100 MB is not buffered when the reader stops', async () => {
  let poured = { sent: 0 };
  const exchange = await withAnswers((_, response) => {
    poured = pour(response, 'x');
  });
  const { stream } = await exchange.download({ url: 'x', name: 'a.pdf' });
  for await (const _ of stream) break;
  expect(poured.sent).toBeLessThan(onTheWay);
});

const quick = { answerMs: 1_000, idleMs: 10_000, callMs: 2_000 };

/** A download has no time limit as long as bytes arrive. */
const bounded = calls.filter(({ name }) => name !== 'download');

test('every call times out on a dripping answer', async () => {
  const exchange = await withAnswers(
    (request, response) => {
      request.resume();
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
    { limits: quick },
  );
  await exchange.signIn();
  const codes = bounded.map(async ({ run }) => (await failureOf(run(exchange))).code);
  expect(await Promise.all(codes)).toEqual(
    bounded.map((call) => (commits.includes(call) ? 'outcome-unknown' : 'timeout')),
  );
});

test('every call times out on dripping headers', async () => {
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
  const exchange = client({ baseUrl, limits: quick });
  await exchange.signIn();
  const codes = calls.map(async ({ run }) => (await failureOf(run(exchange))).code);
  expect(await Promise.all(codes)).toEqual(
    calls.map((call) => (commits.includes(call) ? 'outcome-unknown' : 'timeout')),
  );
});

test('a dripping download completes, even beyond the time limit of a call', async () => {
  const dripped = (quick.callMs + 400) / 20;
  const exchange = await withAnswers(
    (_, response) => {
      let left = dripped;
      const timer = setInterval(() => {
        if (--left > 0) response.write('x');
        else response.end('x');
      }, 20);
      response.on('close', () => clearInterval(timer));
    },
    { limits: quick },
  );
  const { stream } = await exchange.download({ url: 'x', name: 'a.pdf' });
  expect(String(await bytesOf(stream))).toBe('x'.repeat(dripped));
});
