import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeKeyPage } from '../../src/features/account/connect/page.ts';
import { makeDownloadLink } from '../../src/features/inbox/download/page.ts';
import { signIn } from '../../src/sandbox/sign-in.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { headerLines, unverifiedSlackHeaders } from '../helpers/unverified-headers.ts';

const postgres = startTestPostgres();
const clientTimeouts = { headMs: 1_500, requestMs: 2_000, checkMs: 50 };

const keyPage = ({ services, acme, anna, exchange }: AppSetup) =>
  makeKeyPage(services, { workspace: acme.id, person: anna.id }, { baseUrl: exchange.url, username: user });

function dial(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Writes a byte every 30 ms until the server closes the connection. Returns its answer. */
async function writeSlowly(socket: Socket, begin: string): Promise<string> {
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(begin);
  const timer = setInterval(() => socket.write('x'), 30);
  // `once` from node:events would reject when a late byte hits the closed connection.
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
  return answer;
}

test('a silent or slow client is disconnected in time on every path', async () => {
  const setup = await setUpApp(postgres, { connected: false, hasPublicUrl: true, clientTimeouts });
  const { url, logged, anna } = setup;
  const page = await keyPage(setup);
  const { pathname } = new URL(page);
  const cookie = await signIn(page, anna);
  const head = 'host: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 5000\r\n\r\n';
  const beginnings = [
    '',
    'GET /healthz HTTP/1.1\r\nx-slow: ',
    `POST /slack/events HTTP/1.1\r\n${headerLines(unverifiedSlackHeaders())}${head}`,
    `POST ${pathname} HTTP/1.1\r\ncookie: ${cookie}\r\n${head}key=`,
  ];
  const started = Date.now();
  const answers = await Promise.all(beginnings.map((begin) => writeSlowly(dial(url), begin)));
  expect(Date.now() - started).toBeLessThan(10_000);
  expect(answers.slice(1).every((answer) => answer === '' || answer.startsWith('HTTP/1.1 408'))).toBe(true);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // Not logged as a page error, and the link still works.
  expect(logged()).not.toContain('page failed');
  const posted = await fetch(`${url}${pathname}`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ key: apiKey }),
  });
  expect(posted.status).toBe(200);
});

test('a client that waits for a slow answer is not disconnected', async () => {
  const setup = await setUpApp(postgres, { connected: false, hasPublicUrl: true, clientTimeouts });
  const page = await keyPage(setup);
  const slow = setup.exchange.addFault({ operation: 'index', kind: 'delay' });
  const headers = { cookie: await signIn(page, setup.anna) };
  const posted = fetch(page, { method: 'POST', headers, body: new URLSearchParams({ key: apiKey }) });
  await slow.struck;
  await new Promise((resolve) => setTimeout(resolve, clientTimeouts.requestMs + 300));
  await slow.release();
  expect((await posted).status).toBe(200);
});

const bodyBytes = 40_000_000;

/** Posts 40 MB without a content-length. Resolves with the status and the bytes sent before it arrived. */
function post(url: string, method = 'POST', more = {}): Promise<{ status: number; sent: number }> {
  return new Promise((resolve, reject) => {
    const chunk = Buffer.alloc(65_536, 'key=');
    let sent = 0;
    let isOver = false;
    const agent = new Agent({ keepAlive: true });
    const request = httpRequest(url, {
      method,
      // Keep-alive as in browsers; otherwise the server closes the connection before reading everything.
      agent,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked', ...more },
    });
    const write = () => {
      while (!isOver && sent < bodyBytes) {
        sent += chunk.length;
        if (request.write(chunk)) continue;
        request.once('drain', write);
        return;
      }
      if (!isOver) request.end();
    };
    request.on('error', (error) => (isOver ? undefined : reject(error)));
    request.on('response', (response) => {
      isOver = true;
      response.resume();
      resolve({ status: response.statusCode ?? 0, sent });
      request.destroy();
      agent.destroy();
    });
    write();
  });
}

test('a body of 40 MB is refused or ignored on every path, without effect', async () => {
  const setup = await setUpApp(postgres, { connected: false, hasPublicUrl: true });
  const { url, acme, services, exchange, anna, bo } = setup;
  const page = await keyPage(setup);
  const headers = { cookie: await signIn(page, anna) };
  const link = await makeDownloadLink(services, { workspace: acme.id, person: bo.id }, { url: 'x', name: 'a.pdf' });
  const before = process.memoryUsage().rss;
  expect((await post(`${url}/slack/events`)).status).toBe(401);
  const events = await post(`${url}/slack/events`, 'POST', unverifiedSlackHeaders());
  expect(events.status).toBe(413);
  expect(events.sent).toBeLessThan(25_000_000);
  expect((await post(page)).status).toBe(403);
  expect((await post(page, 'POST', headers)).status).toBe(400);
  for (const path of ['/connect/x.y', '/d/x.y', '/nowhere', '/slack/install', '/slack/oauth_redirect', '/slack/x']) {
    expect((await post(url + path)).status, path).toBeOneOf([404, 400]);
  }
  expect((await post(`${url}/readyz`)).status).toBe(200);
  expect((await post(page, 'PUT')).status).toBe(200);
  expect((await post(link, 'PUT')).status).toBe(200);
  // 400 MB were sent in total.
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  expect(exchange.calls).toEqual([]);
  // The one-time page still works.
  const posted = await fetch(page, { method: 'POST', headers, body: new URLSearchParams({ key: apiKey }) });
  expect(posted.status).toBe(200);
});
