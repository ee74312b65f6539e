import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createMemoryTokens, type ExchangeOptions, type FileSource, type Limits } from '../../src/exchange/index.ts';
import { failureOf, fileOf, type Setup, setUp } from '../helpers/exchange.ts';
import { serve } from '../helpers/serve.ts';

/** A source that never ends. */
function endless(size: number): FileSource & { stream?: Readable } {
  const source: FileSource & { stream?: Readable } = {
    name: 'big.bin',
    size,
    async open() {
      source.stream = new Readable({
        read() {
          this.push(Buffer.alloc(64 * 1024));
        },
      });
      return source.stream;
    },
  };
  return source;
}

/** Signs in, then returns a client with these limits, which didn't apply to the sign-in. */
async function signInClient(client: Setup['client'], limits: Partial<Limits>, more: Partial<ExchangeOptions> = {}) {
  const tokens = createMemoryTokens();
  await client({ tokens, ...more }).signIn();
  return client({ tokens, limits, ...more });
}

/** A client of a service that issues tokens and passes uploads to `handle`. */
async function withUploads(handle: Parameters<typeof createServer>[1], ms = 2_000) {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('upload.cgi')) handle?.(request, response as never);
    else response.end('<input type=hidden name=csrftoken value=T0k3n>');
  });
  const baseUrl = await serve(server);
  const { client } = await setUp();
  return signInClient(client, { answerMs: ms, idleMs: ms }, { baseUrl });
}

test('an upload fails if the service says "done" before the whole file was sent', async () => {
  const exchange = await withUploads((_, response) => response.end('{"status":"done"}'));
  const source = endless(1e9);
  const failure = await failureOf(exchange.upload(source));
  expect(failure).toMatchObject({ code: 'refused', message: expect.stringContaining('before it had the whole file') });
  expect(source.stream?.destroyed).toBe(true);
});

test('a refusal during an upload is reported with its text', async () => {
  const exchange = await withUploads((request, response) => {
    request.resume();
    response.writeHead(413, { 'content-type': 'text/plain' }).end('Files may have 5 MB');
  });
  expect(await failureOf(exchange.upload(endless(50e6)))).toMatchObject({
    code: 'refused',
    status: 413,
    serviceText: 'Files may have 5 MB',
  });
});

test('if the service stops reading, an upload times out and its stream is destroyed', async () => {
  const exchange = await withUploads((request) => request.pause(), 100);
  const source = endless(1e9);
  expect(await failureOf(exchange.upload(source))).toMatchObject({ code: 'timeout' });
  expect(source.stream?.destroyed).toBe(true);
});

test('an upload times out when its source stops midway', async () => {
  const { client, account } = await setUp();
  const stream = new Readable({ read() {} });
  stream.push('the beginning');
  const exchange = await signInClient(client, { idleMs: 50 });
  const upload = exchange.upload({ name: 'stuck', size: 100, open: async () => stream });
  expect(await failureOf(upload)).toMatchObject({ code: 'timeout', operation: 'upload' });
  expect(stream.destroyed).toBe(true);
  expect(account.uploads).toEqual([]);
});

test.each([
  ['failed', new Error('the source broke'), 'the source broke'],
  ['was closed', undefined, /0 bytes/],
])('if a source %s before it was read, its upload fails immediately', async (_, error, expected) => {
  const { exchange, account } = await setUp({ client: { limits: { idleMs: 5_000 } } });
  const open = async () => {
    const stream = Readable.from(['never read'], { objectMode: false }).on('error', () => {});
    const closed = new Promise((resolve) => stream.on('close', resolve));
    stream.destroy(error);
    await closed;
    return stream;
  };
  expect((await failureOf(exchange.upload({ name: 'a.txt', size: 10, open }))).message).toMatch(expected);
  expect(account.uploads).toEqual([]);
});

test('if a source stream opens after its upload was aborted, the stream is destroyed', async () => {
  const { exchange } = await setUp();
  const controller = new AbortController();
  const stream = new Readable({ read() {} });
  let resolveOpen = (_: Readable) => {};
  const open = () =>
    new Promise<Readable>((resolve) => {
      resolveOpen = resolve;
      controller.abort(new Error('given up'));
    });
  expect(await failureOf(exchange.upload({ name: 'late', size: 1, open }, { signal: controller.signal }))).toBe(
    controller.signal.reason,
  );
  resolveOpen(stream);
  await expect.poll(() => stream.destroyed).toBe(true);
});

test("an upload from a slow source that never stalls doesn't time out", async () => {
  const { client, account } = await setUp();
  async function* yieldSlowly() {
    for (let byte = 0; byte < 8; byte += 1) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      yield Buffer.from('x');
    }
  }
  const open = async () => Readable.from(yieldSlowly(), { objectMode: false });
  await client({ limits: { idleMs: 1_000 } }).upload({ name: 'slow', size: 8, open });
  expect(account.uploads).toHaveLength(1);
});

test('if a progress callback throws, its upload fails', async () => {
  const { exchange, account } = await setUp();
  const onProgress = () => {
    throw new Error('progress failed');
  };
  expect(await failureOf(exchange.upload(fileOf('a', 'a'), { onProgress }))).toMatchObject({
    message: 'progress failed',
  });
  expect(account.uploads).toEqual([]);
});

test('an upload to a full disk fails and stores no file', async () => {
  const { exchange, account, server } = await setUp();
  server.addFault({ operation: 'upload', kind: 'disk-full', times: 2 });
  expect(await failureOf(exchange.upload(fileOf('a', 'a')))).toMatchObject({ code: 'refused', operation: 'upload' });
  expect(account.uploads).toEqual([]);
});

test.each([-1, 1.5, Number.NaN, 2 ** 60])('a file of size %s is rejected before it is opened', async (size) => {
  const { exchange, server } = await setUp();
  let isOpened = false;
  const open = async () => {
    isOpened = true;
    return Readable.from([]);
  };
  expect(await failureOf(exchange.upload({ name: 'a', size, open }))).toMatchObject({ code: 'invalid-input' });
  expect(isOpened).toBe(false);
  expect(server.calls).toEqual([]);
});

test('an upload retried with a new token reopens its source', async () => {
  const { exchange, account } = await setUp();
  await exchange.signIn();
  account.tokens.length = 0;
  let opened = 0;
  const file = fileOf('a.txt', 'whole');
  await exchange.upload({
    ...file,
    open: (signal) => {
      opened += 1;
      return file.open(signal);
    },
  });
  expect(opened).toBe(2);
  expect(account.uploads).toMatchObject([{ name: 'a.txt', bytes: 5 }]);
});
