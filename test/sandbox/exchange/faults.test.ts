import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import selfsigned from 'selfsigned';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { ada, apiKey, basic, boundary, type Exchange, loggedIn, multipart, rawRequest, user } from './helper.ts';

const parameters = { desttime: 1, ddmessage: 'x' };
const last = (exchange: Exchange) => exchange.server.calls.at(-1);
const reset = { code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) };
// Node can report a reset in the middle of an answer as a normal close. In both cases the answer is incomplete.
const cut = { code: expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/) };

/** Whether a promise is still pending after 20 turns of the event loop. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  promise.then(
    () => {
      isDone = true;
    },
    () => {
      isDone = true;
    },
  );
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  return !isDone;
}

test('each call is logged with its outcome', async () => {
  const exchange = await loggedIn();
  await exchange.get('get_files');
  await exchange.get('remove_file', '?filename=none');
  expect(exchange.server.calls).toEqual([
    {
      operation: 'index',
      user,
      at: exchange.clock.now,
      connection: 1,
      token: undefined,
      outcome: 'done',
      processed: true,
    },
    expect.objectContaining({ operation: 'get_files', token: exchange.token, outcome: 'done', processed: true }),
    expect.objectContaining({ operation: 'remove_file', token: exchange.token, outcome: 'refused', processed: false }),
  ]);
});

test('a delayed request waits for release, then completes', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  const fault = exchange.server.addFault({ operation: 'createdrop', kind: 'delay' });
  const answer = exchange.post('createdrop', parameters);
  await fault.triggered;
  expect(await isPending(answer)).toBe(true);
  expect(exchange.account.drops).toEqual([]);
  await fault.release();
  expect(exchange.account.drops).toHaveLength(1);
  expect((await answer).text).toBe('{"status":"ok"}');
  expect(last(exchange)).toMatchObject({ operation: 'createdrop', outcome: 'done', processed: true });
});

test('a delayed request is processed even after its client disconnects', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  const fault = exchange.server.addFault({ operation: 'createdrop', kind: 'delay' });
  const answer = exchange.post('createdrop', parameters);
  await fault.triggered;
  const failed = expect(answer).rejects.toThrow();
  await exchange.agent.destroy();
  await failed;
  await expect.poll(() => exchange.server.connections()).toBe(0);
  await fault.release();
  expect(exchange.account.drops).toHaveLength(1);
  expect(last(exchange)).toMatchObject({ outcome: 'aborted', processed: true });
});

test('if the client of a delayed upload disconnects, the upload is not stored', async () => {
  const exchange = await loggedIn();
  const fault = exchange.server.addFault({ operation: 'upload', kind: 'delay' });
  const answer = exchange.upload('a', Buffer.alloc(5_000_000));
  await fault.triggered;
  const failed = expect(answer).rejects.toThrow();
  await exchange.agent.destroy();
  await failed;
  await fault.release();
  expect(exchange.account.uploads).toEqual([]);
  expect(last(exchange)).toMatchObject({ outcome: 'aborted', processed: false });
});

test('a delayed upload completes when released', async () => {
  const exchange = await loggedIn();
  const fault = exchange.server.addFault({ operation: 'upload', kind: 'delay' });
  const answer = exchange.upload('a', Buffer.alloc(5_000_000));
  await fault.triggered;
  await fault.release();
  expect((await answer).status).toBe(200);
  expect(exchange.account.uploads).toMatchObject([{ bytes: 5_000_000 }]);
});

test('a hung request is never answered and does not block close()', async () => {
  const exchange = await loggedIn();
  for (const operation of ['upload', 'contacts_add'] as const) exchange.server.addFault({ operation, kind: 'hang' });
  const hung = [exchange.upload('a', Buffer.alloc(1_000_000)), exchange.post('contacts_add', [ada])];
  const rejected = Promise.all(hung.map((answer) => expect(answer).rejects.toThrow()));
  await expect.poll(() => exchange.server.calls.filter((call) => call.outcome === 'hung').length).toBe(2);
  expect(await isPending(Promise.race(hung))).toBe(true);
  expect(exchange.account).toMatchObject({ uploads: [], contacts: { local: [] } });
  await exchange.server.close();
  await rejected;
  expect(exchange.server.connections()).toBe(0);
});

test('the fault "hang-after" processes a request and never answers', async () => {
  const exchange = await loggedIn();
  const fault = exchange.server.addFault({ operation: 'contacts_add', kind: 'hang-after' });
  const answer = exchange.post('contacts_add', [ada]);
  const rejected = expect(answer).rejects.toThrow();
  await fault.triggered;
  expect(exchange.account.contacts.local).toEqual([ada]);
  expect(last(exchange)).toMatchObject({ outcome: 'hung', processed: true });
  expect(await isPending(answer)).toBe(true);
  await exchange.server.close();
  await rejected;
});

test.each([
  ['reset-before', false],
  ['reset-during', true],
  ['reset-after', true],
] as const)('the fault %s resets a request (processed: %s)', async (kind, processed) => {
  const exchange = await loggedIn();
  await exchange.prepare();
  const fault = exchange.server.addFault({ operation: 'createdrop', kind });
  await expect(exchange.post('createdrop', parameters)).rejects.toMatchObject(kind === 'reset-during' ? cut : reset);
  await fault.triggered;
  expect(exchange.account.drops).toHaveLength(processed ? 1 : 0);
  expect(last(exchange)).toMatchObject({ operation: 'createdrop', outcome: 'reset', processed });
  expect((await exchange.get('get_files')).status).toBe(200);
});

test.each([
  ['reset-before', 0],
  ['reset-during', 0],
  ['reset-after', 1],
] as const)('the fault %s resets an upload (files stored: %s)', async (kind, stored) => {
  const exchange = await loggedIn();
  exchange.server.addFault({ operation: 'upload', kind, times: 2 });
  for (const size of [10, 3_000_000]) {
    await expect(exchange.upload('a', Buffer.alloc(size))).rejects.toMatchObject(reset);
    expect(exchange.account.uploads).toHaveLength(stored);
    expect(last(exchange)).toMatchObject({ operation: 'upload', outcome: 'reset', processed: stored === 1 });
  }
});

test('the fault "reset-during" does not wait for the second half of an upload', async () => {
  const exchange = await loggedIn();
  exchange.server.addFault({ operation: 'upload', kind: 'reset-during' });
  async function* yieldHalf() {
    yield multipart(Buffer.alloc(100_000)).subarray(0, 60_000);
    await new Promise(() => {});
  }
  const upload = request(`${exchange.server.url}/${user}/cgi/upload.cgi`, {
    method: 'POST',
    headers: {
      authorization: basic(user, apiKey),
      'csrf-token': exchange.token,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(multipart(Buffer.alloc(100_000)).length),
    },
    body: Readable.from(yieldHalf()),
    dispatcher: exchange.agent,
  });
  await expect(upload).rejects.toMatchObject(reset);
});

test('the fault "reset-during" cuts off a download, even that of an empty file', async () => {
  const exchange = await loggedIn();
  const files = [
    { name: 'big', data: Buffer.alloc(1_000_000) },
    { name: 'empty', data: '' },
  ];
  const { url } = await exchange.server.addInboxItem(user, { sender: 'x@y', files });
  exchange.server.addFault({ operation: 'download', kind: 'reset-during', times: 4 });
  for (const framing of ['length', 'chunked'] as const) {
    exchange.server.behaviour.downloadFraming = framing;
    await expect(exchange.send('GET', `/${url}/files/big`), framing).rejects.toMatchObject(cut);
  }
  // Without a length or chunks, undici treats a reset as the end, so a truncated file looks complete.
  exchange.server.behaviour.downloadFraming = 'until-close';
  expect((await exchange.send('GET', `/${url}/files/big`)).body.length).toBeLessThan(1_000_000);
  await expect(exchange.send('GET', `/${url}/files/empty`)).rejects.toMatchObject(cut);
  exchange.server.behaviour.downloadFraming = 'length';
  expect((await exchange.send('GET', `/${url}/files/big`)).body.length).toBe(1_000_000);
});

test.each(['reset-before', 'reset-after'] as const)(
  'the fault %s resets the connection without sending a byte',
  async (kind) => {
    const { server } = await loggedIn();
    server.addFault({ operation: 'index', kind });
    const bytes = `GET /${user}/ HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(user, apiKey)}\r\n\r\n`;
    expect(await rawRequest(server.url, Buffer.from(bytes))).toEqual({ text: '', error: 'ECONNRESET' });
  },
);

test('the reset faults also reset HTTPS connections', async () => {
  const { private: key, cert } = await selfsigned.generate([{ name: 'commonName', value: 'localhost' }]);
  const exchange = await loggedIn({ tls: { key, cert } });
  for (const kind of ['reset-before', 'reset-during', 'reset-after'] as const) {
    exchange.server.addFault({ operation: 'get_files', kind });
    await expect(exchange.get('get_files')).rejects.toMatchObject(kind === 'reset-during' ? cut : reset);
  }
  expect((await exchange.get('get_files')).status).toBe(200);
});

test('the fault "process-later" resets first and processes the request when released', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  const fault = exchange.server.addFault({ operation: 'createdrop', kind: 'process-later' });
  await expect(exchange.post('createdrop', parameters)).rejects.toMatchObject(reset);
  await fault.triggered;
  expect(exchange.account.drops).toEqual([]);
  const call = last(exchange);
  expect(call).toMatchObject({ outcome: 'reset', processed: false });
  await fault.release();
  expect(exchange.account.drops).toHaveLength(1);
  expect(call?.processed).toBe(true);
});

test("a request processed later uses the account's state at the time of processing", async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  const fault = exchange.server.addFault({ operation: 'createdrop', kind: 'process-later' });
  await expect(exchange.post('createdrop', parameters)).rejects.toMatchObject(reset);
  await exchange.post('receivers_set', []);
  await fault.release();
  expect(exchange.account.drops).toEqual([]);
  expect(exchange.server.calls.find((call) => call.operation === 'createdrop')?.processed).toBe(false);
});

test('an upload can be processed later', async () => {
  const exchange = await loggedIn();
  const fault = exchange.server.addFault({ operation: 'upload', kind: 'process-later' });
  await expect(exchange.upload('a', 'data')).rejects.toMatchObject(reset);
  await fault.triggered;
  expect(exchange.account.uploads).toEqual([]);
  await fault.release();
  expect(exchange.account.uploads).toMatchObject([{ name: 'a', bytes: 4 }]);
});

test('the fault "wrong-token" refuses a valid token once', async () => {
  const exchange = await loggedIn();
  exchange.server.addFault({ operation: 'get_files', kind: 'wrong-token' });
  expect((await exchange.get('get_files')).status).toBe(403);
  expect((await exchange.get('get_files')).status).toBe(200);
  expect(() => exchange.server.addFault({ operation: 'index', kind: 'wrong-token' })).toThrow('no token');
});

test('the fault "disk-full" refuses an upload after reading its body', async () => {
  const exchange = await loggedIn();
  exchange.server.addFault({ operation: 'upload', kind: 'disk-full' });
  const answer = await exchange.upload('a', Buffer.alloc(3_000_000));
  expect([answer.status, exchange.account.uploads]).toEqual([507, []]);
  expect(last(exchange)).toMatchObject({ outcome: 'refused', processed: false });
  expect((await exchange.upload('a', 'x')).status).toBe(200);
});

test('the fault "answer" replaces the real answer and stops the processing', async () => {
  const exchange = await loggedIn();
  const { server } = exchange;
  server.addFault({ operation: 'contacts_add', kind: 'answer' });
  const bare = await exchange.post('contacts_add', [ada]);
  expect(bare).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'text/html; charset=utf-8' } });

  const headers = { 'content-type': undefined, location: '/x' };
  server.addFault({ operation: 'contacts_add', kind: 'answer', answer: { status: 302, headers, body: 'moved' } });
  const moved = await exchange.post('contacts_add', [ada]);
  expect(moved).toMatchObject({ status: 302, text: 'moved', headers: { location: '/x' } });
  expect(moved.headers['content-type']).toBeUndefined();

  expect(exchange.account.contacts.local).toEqual([]);
  expect(last(exchange)).toMatchObject({ outcome: 'answered', processed: false });
});

test('the fault "answer" can send a wrong content length, or none', async () => {
  const exchange = await loggedIn();
  const answer = (headers: Record<string, string | undefined>) =>
    exchange.server.addFault({ operation: 'get_files', kind: 'answer', answer: { headers, body: '[]' } });
  answer({ 'content-length': '10' });
  await expect(exchange.get('get_files')).rejects.toMatchObject({ code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' });
  answer({ 'content-length': undefined });
  expect(await exchange.get('get_files')).toMatchObject({ text: '[]', headers: { 'transfer-encoding': 'chunked' } });
  answer({ 'content-length': undefined, 'transfer-encoding': undefined });
  const untilClose = await exchange.get('get_files');
  expect([untilClose.text, untilClose.headers['transfer-encoding']]).toEqual(['[]', undefined]);
});

test('faults apply in order, as often as set, and not after they are removed', async () => {
  const exchange = await loggedIn();
  const answer = (status: number) => ({ operation: 'get_files' as const, kind: 'answer' as const, answer: { status } });
  exchange.server.addFault({ ...answer(501), times: 2 });
  exchange.server.addFault(answer(502));
  const removed = exchange.server.addFault({ ...answer(503), times: 9 });
  const status = async () => (await exchange.get('get_files')).status;
  expect([await status(), await status(), await status(), await status()]).toEqual([501, 501, 502, 503]);
  removed.remove();
  expect(await status()).toBe(200);
});

test('the fault "delay" delays only its own calls, and release completes all of them', async () => {
  const exchange = await loggedIn();
  const fault = exchange.server.addFault({ operation: 'get_files', kind: 'delay', times: 2 });
  const delayed = [exchange.get('get_files'), exchange.get('get_files')];
  await expect.poll(() => exchange.server.connections()).toBeGreaterThanOrEqual(2);
  await fault.triggered;
  expect((await exchange.get('contacts_read')).status).toBe(200);
  expect(await isPending(Promise.race(delayed))).toBe(true);
  await fault.release();
  expect((await Promise.all(delayed)).map((answer) => answer.status)).toEqual([200, 200]);
});
