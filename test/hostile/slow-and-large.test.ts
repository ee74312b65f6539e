import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeKeyPage } from '../../src/features/account/connect/page.ts';
import { signIn } from '../../src/sandbox/sign-in.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { headerLines, unverifiedSlackHeaders } from '../helpers/unverified-headers.ts';

const postgres = startTestPostgres();
const clientTimeouts = { headMs: 700, requestMs: 1_000, checkMs: 50 };

const keyPage = async ({ services, acme, anna, exchange }: AppSetup) => {
  const draft = { baseUrl: exchange.url, username: user };
  return (await makeKeyPage(services, { workspace: acme.id, person: anna.id }, draft)).url;
};

function connectTo(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Writes `begin`, then a byte every 30 ms until the server closes the connection. Returns its answer. */
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

test('a client that sends a request byte by byte is disconnected within 10 seconds', async () => {
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
  const answers = await Promise.all(beginnings.map((begin) => writeSlowly(connectTo(url), begin)));
  expect(Date.now() - started).toBeLessThan(10_000);
  expect(answers.slice(1).every((answer) => answer === '' || answer.startsWith('HTTP/1.1 408'))).toBe(true);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // The slow request is not logged as a page error, and the link still works.
  expect(logged()).not.toContain('page failed');
  const posted = await fetch(`${url}${pathname}`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ key: apiKey }),
  });
  expect(posted.status).toBe(200);
});
