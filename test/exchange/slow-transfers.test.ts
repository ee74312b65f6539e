import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bytesOf, failureOf, fileOf } from '../helpers/exchange.ts';
import { withAnswers } from '../helpers/odd-service.ts';

const file = { url: 'x', name: 'a.bin' };
const pace = { paceMs: 250, paceBytes: 100_000 };
const length = 4_000_000;

/** A service that sends only 1,000 bytes of the file every 20 ms. */
const slowService = (limits: object) =>
  withAnswers(
    (_, response) => {
      response.writeHead(200, { 'content-length': String(length) });
      const timer = setInterval(() => response.write(Buffer.alloc(1_000)), 20);
      response.on('close', () => clearInterval(timer));
    },
    { limits },
  );

test('a download below the minimum speed times out', async () => {
  const { stream } = await (await slowService(pace)).download(file);
  expect(await failureOf(bytesOf(stream))).toMatchObject({ code: 'timeout', operation: 'download' });
});

test('a download over its total time limit times out', async () => {
  const limits = { ...pace, paceBytes: 1, transferMs: 400, transferBytesPerSecond: 10_000_000 };
  const { stream } = await (await slowService(limits)).download(file);
  expect(await failureOf(bytesOf(stream))).toMatchObject({ code: 'timeout', operation: 'download' });
});

test("a download with a slow reader doesn't time out", async () => {
  const exchange = await withAnswers(
    (_, response) => response.writeHead(200, { 'content-length': String(length) }).end(Buffer.alloc(length)),
    { limits: { ...pace, transferMs: 500 } },
  );
  const { stream } = await exchange.download(file);
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (bytes === 0) await sleep(1_000);
    bytes += chunk.length;
  }
  expect(bytes).toBe(length);
});

test('an upload below the minimum speed times out', async () => {
  const exchange = await withAnswers(
    (request, response) => {
      request.pause();
      const timer = setInterval(() => request.read(1_000), 20);
      response.on('close', () => clearInterval(timer));
    },
    { limits: pace },
  );
  const failure = await failureOf(exchange.upload(fileOf('a.bin', Buffer.alloc(20_000_000))));
  expect(failure).toMatchObject({ code: 'timeout', message: 'The service accepts the file too slowly.' });
});

test("an upload from a slow source doesn't time out", async () => {
  const exchange = await withAnswers(
    (request, response) => request.resume().on('end', () => response.end('{"status":"done"}')),
    { limits: { ...pace, transferMs: 500 } },
  );
  async function* yieldSlowly() {
    yield Buffer.from('x');
    await sleep(1_000);
    yield Buffer.from('y');
  }
  const open = async () => Readable.from(yieldSlowly(), { objectMode: false });
  await exchange.upload({ name: 'slow', size: 2, open });
});
