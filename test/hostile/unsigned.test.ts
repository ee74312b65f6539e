import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { deliver, formType } from '../helpers/deliver.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { headerLines, unverifiedSlackHeaders } from '../helpers/unverified-headers.ts';

const postgres = startTestPostgres();

/** Sends headers with this content length and only part of the body. Returns the connection. */
async function startRequest(
  url: string,
  headers: Record<string, string>,
  bytes: number,
  sent = 0,
  path = '/slack/events',
): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const head = headerLines({ host: 'x', 'content-length': String(bytes), ...headers });
  socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n${'x'.repeat(sent)}`);
  return socket;
}

/** Returns the HTTP status, or undefined if no answer arrives within two seconds. */
async function statusOf(socket: Socket): Promise<number | undefined> {
  const answer = await Promise.race([once(socket, 'data'), sleep(2_000)]);
  return answer === undefined ? undefined : Number(String(answer[0]).split(' ')[1]);
}

test.each([
  ['no signature', {}],
  ['a malformed signature', { ...unverifiedSlackHeaders(), 'x-slack-signature': 'v0=x' }],
  ['a malformed time', { ...unverifiedSlackHeaders(), 'x-slack-request-timestamp': 'now' }],
  ['a stale time', unverifiedSlackHeaders(Date.now() - 6 * 60_000)],
])('a request with %s is refused before its body is sent', async (_, headers) => {
  const { url } = await setUpApp(postgres, { connected: false });
  expect(await statusOf(await startRequest(url, headers, 4_000_000))).toBe(401);
});

test('a path that is not normalized, like /slack/./events, needs a signature too', async () => {
  const { url } = await setUpApp(postgres, { connected: false });
  for (const path of ['/slack/./events', '/slack/x/../events', '/slack/events?x'])
    expect(await statusOf(await startRequest(url, {}, 4_000_000, 0, path)), path).toBe(401);
});

test('a request body over 1 MiB is refused before it is sent', async () => {
  const { url } = await setUpApp(postgres, { connected: false });
  expect(await statusOf(await startRequest(url, unverifiedSlackHeaders(), 1024 * 1024 + 1))).toBe(413);
});

test('forged bodies over 16 MiB in total are refused while commands are answered', async () => {
  const { url, bo } = await setUpApp(postgres);
  const bytes = 1024 * 1024;
  for (let count = 0; count < 16; count += 1) await startRequest(url, unverifiedSlackHeaders(), bytes, bytes - 1);
  await expect.poll(async () => statusOf(await startRequest(url, unverifiedSlackHeaders(), bytes))).toBe(503);
  await bo.types('/drop help', { in: '#general' });
  await bo.sees('/drop send');
});

test.each([
  ['null', 'application/json'],
  [' 7', 'application/json'],
  ['payload=null', formType],
  ['payload=%22x%22', formType],
])("the signed body %s is refused, because it isn't an object", async (body, type) => {
  const { url } = await setUpApp(postgres, { connected: false });
  expect((await deliver(url, body, { type })).status).toBe(400);
});

test.each([
  '{"type":"event_callback","event":7}',
  '{"type":"event_callback","event":{"type":"message","channel":null}}',
])('the signed event %s is refused, because its structure is wrong', async (body) => {
  const { url } = await setUpApp(postgres, { connected: false });
  expect((await deliver(url, body, { type: 'application/json' })).status).toBe(400);
});
