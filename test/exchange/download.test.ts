import { expect, test } from 'vitest';
import { bytesOf, failureOf, setUp, user } from '../helpers/exchange.ts';

async function withItem(name = 'in.bin', data: string | Buffer = 'the bytes') {
  const setup = await setUp();
  const { url } = await setup.server.addInboxItem(user, { sender: 'bo@example.org', files: [{ name, data }] });
  await setup.exchange.readInbox(); // `download` expects that the caller has just read the inbox
  return { ...setup, file: { url, name } };
}

test('a chunked download can be read completely, although its size is unknown', async () => {
  const { exchange, server, file } = await withItem();
  server.behaviour.downloadFraming = 'chunked';
  const { size, stream } = await exchange.download(file);
  expect(size).toBeUndefined();
  expect((await bytesOf(stream)).toString()).toBe('the bytes');
});

test('a download with neither a length nor chunks is rejected', async () => {
  const { exchange, server, file } = await withItem();
  server.behaviour.downloadFraming = 'until-close';
  expect(await failureOf(exchange.download(file))).toMatchObject({ code: 'changed-format' });
});

test('an empty file can be downloaded', async () => {
  const { exchange, file } = await withItem('empty.txt', '');
  const { size, stream } = await exchange.download(file);
  expect(size).toBe(0);
  expect(await bytesOf(stream)).toHaveLength(0);
});

test('a missing or expired file fails as not-found', async () => {
  const { exchange, file, clock } = await withItem();
  expect(await failureOf(exchange.download({ ...file, name: 'other' }))).toMatchObject({ code: 'not-found' });
  clock.advance(400 * 24 * 3600_000);
  expect(await failureOf(exchange.download(file))).toMatchObject({ code: 'not-found' });
});

test.each(['html', 'json'] as const)(
  'a refusal sent as %s with status 200 is never returned as the file',
  async (failure) => {
    const { exchange, server, file } = await withItem('contract.pdf');
    server.behaviour.failure = failure;
    expect(await failureOf(exchange.download({ ...file, url: 'gone' }))).toMatchObject({ code: 'refused' });
  },
);

test.each([
  ['page.html', 'text/html', '<html><body>a page that somebody sent</body></html>'],
  ['data.json', 'application/json', '{"status":"error"}'],
  ['notes.txt', 'application/json', '{"notes":"no status in it"}'],
  ['notes.txt', 'application/json', `{"long":"${'x'.repeat(200_000)}"}`],
])('the file %s of type %s is returned unchanged', async (name, type, body) => {
  const { exchange, server, file } = await withItem(name);
  const headers = { 'content-type': type, 'content-length': String(body.length) };
  server.addFault({ operation: 'download', kind: 'answer', answer: { headers, body } });
  const { stream } = await exchange.download(file);
  expect((await bytesOf(stream)).toString()).toBe(body);
});

test('an answer with status 206 is never returned as the file', async () => {
  const { exchange, server, file } = await withItem();
  server.addFault({ operation: 'download', kind: 'answer', times: 2, answer: { status: 206, body: 'the' } });
  expect(await failureOf(exchange.download(file))).toMatchObject({ code: 'changed-format' });
});

test('destroying a download stream releases its connection', async () => {
  const { exchange, server, file } = await withItem('big.bin', Buffer.alloc(20_000_000));
  const { stream } = await exchange.download(file);
  await stream[Symbol.asyncIterator]().next();
  stream.destroy();
  await expect.poll(() => server.calls.at(-1)?.outcome).toBe('aborted');
});

test('a download can be aborted midway', async () => {
  const { exchange, file } = await withItem('big.bin', Buffer.alloc(20_000_000));
  const controller = new AbortController();
  const { stream } = await exchange.download(file, { signal: controller.signal });
  const failure = failureOf(bytesOf(stream));
  controller.abort(new Error('given up'));
  expect(await failure).toBe(controller.signal.reason);
});

test('many downloads with one abort signal cause no warning', async () => {
  const { exchange, file } = await withItem();
  const warnings: string[] = [];
  const record = (warning: Error) => warnings.push(warning.name);
  process.on('warning', record);
  const { signal } = new AbortController();
  await Promise.all(
    Array.from({ length: 30 }, async () => bytesOf((await exchange.download(file, { signal })).stream)),
  );
  await new Promise(setImmediate);
  process.off('warning', record);
  expect(warnings).toEqual([]);
});
