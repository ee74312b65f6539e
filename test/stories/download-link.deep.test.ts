import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { signIn } from '../../src/sandbox/sign-in.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { startTestScanner } from '../scan/helper.ts';
import { fetchLink, setUpLinks, signInTo } from './download-link.ts';
import { scanBy } from './scanning.ts';

const postgres = startTestPostgres();
const scanner = startTestScanner();

/** Requests a file and never reads the response. */
function requestAndStall(url: string, cookie: string): Socket {
  const { port, pathname } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\ncontent-length: 0\r\n\r\n`);
  return socket;
}

test('a browser that reads too slowly is disconnected, though it never stops', async () => {
  const { bo, addItem, linkTo, audited } = await setUpLinks(postgres, {
    timing: { stallMs: 500, readerBytesPerSecond: 30_000_000 },
  });
  await addItem('carl@example.org', [{ name: 'a', data: Buffer.alloc(30_000_000) }]);
  const link = await linkTo('a');
  const socket = requestAndStall(link, await signIn(link, bo));
  // At most 6.5 MB a second, and never as long without a read as `stallMs`.
  const reading = setInterval(() => socket.read(Math.min(65_536, socket.readableLength)), 10);
  onTestFinished(() => clearInterval(reading));
  const lastEntry = async () => (await audited()).at(-1);
  await expect.poll(lastEntry, { timeout: 3_000 }).toMatchObject({ action: 'download', outcome: 'failed' });
});

test('slow readers of one person keep no one else from their download', async () => {
  const { anna, bo, addItem, linkTo, audited } = await setUpLinks(postgres, {
    ...scanBy(scanner.server, { maxBytes: 25_000_000 }),
    timing: { scanSlotMs: 200 },
  });
  const data = Buffer.alloc(24_000_000);
  await addItem('carl@example.org', [{ name: 'a', data }, { name: 'b', data }, 'c']);
  const links = [await linkTo('a'), await linkTo('b')];
  const [own, other] = [await linkTo('c'), await linkTo('c', anna)];
  for (const link of links) {
    const socket = requestAndStall(link, await signIn(link, bo));
    // At most 1.6 MB a second: fifty times the minimum, and 15 seconds for the file.
    const reading = setInterval(() => socket.read(Math.min(16_384, socket.readableLength)), 10);
    onTestFinished(() => clearInterval(reading));
  }
  for (const link of links) await expect.poll(async () => (await fetchLink(link, 'GET')).status).toBe(404);
  const refused = await fetchLink(own, 'POST');
  expect(refused.status).toBe(503);
  expect(String(refused.body)).toContain('Your link still works.');
  expect(String((await fetchLink(other, 'POST')).body)).toBe('bytes of c');
  const outcomes = async () =>
    (await audited()).flatMap(({ action, outcome }) => (action === 'download' ? outcome : []));
  // The slow downloads still run.
  await expect.poll(outcomes).toEqual(['busy', 'done']);
});

test('a link that a browser keeps leaving works five times', async () => {
  const { bo, addItem, linkTo, exchange, audited } = await setUpLinks(postgres);
  await addItem('carl@example.org', ['a']);
  const link = await linkTo('a');
  const headers = { cookie: await signIn(link, bo) };
  const entries = async () => (await audited()).filter(({ action }) => action === 'download').length;
  for (let left = 1; left <= 5; left++) {
    const leaving = new AbortController();
    const fault = exchange.addFault({ operation: 'download', kind: 'delay' });
    const downloading = fetch(link, { method: 'POST', headers, signal: leaving.signal });
    await fault.triggered;
    leaving.abort();
    await expect(downloading).rejects.toThrow();
    await expect.poll(entries).toBe(left);
    await fault.release();
  }
  expect((await fetchLink(link, 'POST')).status).toBe(404);
  expect(await entries()).toBe(5);
});

test('a stalled download is aborted; a person can run at most four at a time', async () => {
  const { bo, addItem, linkTo, audited } = await setUpLinks(postgres, { timing: { stallMs: 4_000 } });
  const names = ['a', 'b', 'c', 'd', 'e'];
  const data = Buffer.alloc(30_000_000);
  await addItem(
    'carl@example.org',
    names.map((name) => ({ name, data })),
  );
  const links: string[] = [];
  for (const name of names) links.push(await linkTo(name));
  const last = links.pop() ?? '';
  const cookie = await signIn(last, bo);
  for (const link of links) requestAndStall(link, cookie);
  // A link returns 404 once its download has started.
  for (const link of links) await expect.poll(async () => (await fetchLink(link, 'GET')).status).toBe(404);
  expect((await fetchLink(last, 'POST')).status).toBe(429);
  const failedDownloads = async () =>
    (await audited()).filter(({ action, outcome }) => action === 'download' && outcome !== 'done').length;
  await expect.poll(failedDownloads, { timeout: 20_000 }).toBe(4);
  expect((await fetchLink(last, 'POST')).body).toHaveLength(data.length);
});

/** The raw response to an HTTP/1.0 request, including its headers. */
function fetchOverHttp10(url: string, method: string): Promise<string> {
  const { port, pathname } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(`${method} ${pathname} HTTP/1.0\r\nhost: x\r\ncontent-length: 0\r\n\r\n`);
  return text(socket);
}

test('over HTTP/1.0, a file is refused with advice, and its link still works', async () => {
  const { addItem, linkTo, exchange } = await setUpLinks(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  const link = await linkTo('plan.pdf');
  for (const method of ['GET', 'POST']) {
    const answer = await fetchOverHttp10(link, method);
    expect(answer).toMatch(/^HTTP\/1\.\d 505/);
    expect(answer).toContain('proxy_http_version 1.1');
  }
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
  expect((await fetchLink(link, 'POST')).status).toBe(200);
});

test('without files:write, the Download button always sends a link', async () => {
  const { bo, addItem, changeSettings, acme } = await setUpInboxApp(postgres, {
    hasPublicUrl: true,
    declined: ['files:write'],
  });
  await addItem('carl@example.org', ['plan.pdf', 'map.png']);
  for (const [delivery, name] of [
    ['private', 'plan.pdf'],
    ['thread', 'map.png'],
  ] as const) {
    await changeSettings({ delivery });
    await bo.opens('#inbox');
    await bo.clicks(`Download ${name}`);
    await bo.sees('I sent you the link in a direct message.');
    await bo.reloads();
    await bo.opens('Dropline');
    await bo.clicks('Open download page', { near: `Your link to “${name}”` });
    const link = await signInTo((await until(() => bo.opened.at(-1), 'the page to be opened')) as string, bo);
    expect(String((await fetchLink(link, 'POST')).body)).toBe(`bytes of ${name}`);
  }
  expect(acme.files).toEqual([]);
});

test('without files:write and a public URL, a download is refused with a reason', async () => {
  const { bo, addItem, exchange, audited } = await setUpInboxApp(postgres, { declined: ['files:write'] });
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await bo.sees("I can't add files to Slack here, because the permission “files:write” was declined.");
  expect((await audited()).at(-1)).toEqual({ person: bo.id, action: 'ask for a download', outcome: 'switched-off' });
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
});

test('a link whose downloads fail writes at most five audit entries', async () => {
  const { bo, addItem, linkTo, exchange, changeSettings, anna, audited } = await setUpLinks(postgres);
  await addItem('carl@example.org', ['failing', 'gone', 'forbidden']);
  const links = { failing: await linkTo('failing'), gone: await linkTo('gone'), forbidden: await linkTo('forbidden') };
  const newOutcomes = async (before = 0) =>
    (await audited()).flatMap(({ action, outcome }) => (action === 'download' ? [outcome] : [])).slice(before);
  const postAll = async (link: string, count: number) => {
    const answers: { status: number; text: string }[] = [];
    for (let sent = 0; sent < count; sent++) {
      const { status, body } = await fetchLink(link, 'POST');
      answers.push({ status, text: String(body) });
    }
    return answers;
  };
  exchange.behaviour.downloadFraming = 'until-close';
  const failures = await postAll(links.failing, 8);
  expect(failures.map(({ status }) => status)).toEqual([502, 502, 502, 502, 502, 404, 404, 404]);
  for (const { text } of failures.slice(0, 4)) expect(text).toContain('Your link still works.');
  expect(failures[4]?.text).toContain('Ask for a new link in Slack.');
  expect(failures[4]?.text).not.toContain('Your link still works.');
  expect(await newOutcomes()).toHaveLength(5);
  exchange.behaviour.downloadFraming = 'length';
  exchange.addFault({ operation: 'download', kind: 'answer', answer: { status: 404, body: 'no such file' } });
  const [gone, afterGone] = await postAll(links.gone, 2);
  expect(gone).toMatchObject({ status: 404, text: expect.stringContaining('This file is no longer available.') });
  expect(afterGone?.text).toContain('Link expired');
  await changeSettings({ downloaders: [anna.id] });
  expect((await postAll(links.forbidden, 3)).map(({ status }) => status)).toEqual([403, 404, 404]);
  expect(await newOutcomes(5)).toEqual(['not-found', 'not-allowed']);
  await bo.sees('Your link to “forbidden” from carl@example.org has been used.');
});
