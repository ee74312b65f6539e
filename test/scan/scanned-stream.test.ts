import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { testMalware } from '../../src/sandbox/scanner.ts';
import { startScan } from '../../src/scan/clamd.ts';
import { ScannedStream, type Verdict } from '../../src/scan/index.ts';
import { until } from '../helpers/features.ts';
import { readAll, startTestScanner, streamOf } from './helper.ts';

const scanner = startTestScanner();

const scanOf = (limits = {}) =>
  startScan({ address: { host: '127.0.0.1', port: scanner.server.port }, maxBytes: 100_000_000, limits });

const errorFor = ({ state }: Verdict) => (state === 'clean' ? undefined : new Error(state));

test('if no bytes are held back, the reader gets every byte before the scan ends', async () => {
  let release = () => {};
  scanner.server.behaviour.beforeVerdict = () => new Promise((resolve) => (release = resolve));
  const scan = scanOf();
  const stream = new ScannedStream(streamOf('one', 'two'), scan, { errorFor });
  expect(String(await readAll(stream))).toBe('onetwo');
  await until(() => scanner.server.scanned[0], 'the scan');
  release();
  expect(await scan.verdict).toEqual({ state: 'clean' });
});

test('the last bytes are held back until the scan ends, for any chunk size', async () => {
  let release = () => {};
  scanner.server.behaviour.beforeVerdict = () => new Promise((resolve) => (release = resolve));
  const text = 'abcdefghijklmnopqrstuvwxyz';
  for (const size of [1, 3, 7, 26]) {
    const chunks = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
    const stream = new ScannedStream(streamOf(...chunks), scanOf(), { heldBytes: 10, errorFor });
    let received = '';
    stream.on('data', (chunk: Buffer) => (received += chunk));
    const ended = new Promise((resolve) => stream.on('end', resolve));
    await until(() => (received.length === 16 && scanner.server.scanned.length > 0) || undefined, 'the scan');
    expect(received).toBe(text.slice(0, 16));
    scanner.server.scanned.length = 0;
    release();
    await ended;
    expect(received).toBe(text);
  }
});

test('the stream of an infected file fails before its last bytes reach the reader', async () => {
  const stream = new ScannedStream(streamOf('x'.repeat(50), testMalware), scanOf(), { heldBytes: 10, errorFor });
  let received = '';
  stream.on('data', (chunk: Buffer) => (received += chunk));
  await expect(new Promise((_, reject) => stream.on('error', reject))).rejects.toThrow('infected');
  expect(received.length).toBe(50 + testMalware.length - 10);
  expect(stream.readableEnded).toBe(false);
});

test("a stalled scanner delays the reader only until the scan's time limit", async () => {
  scanner.server.behaviour.mode = 'stalls';
  const large = Array.from({ length: 300 }, () => Buffer.alloc(100_000, 'x'));
  const scan = scanOf({ stallMs: 100 });
  const stream = new ScannedStream(Readable.from(large, { objectMode: false }), scan, { errorFor: () => undefined });
  expect((await readAll(stream)).length).toBe(30_000_000);
  expect(await scan.verdict).toMatchObject({ state: 'not-scanned' });
});

test('if the caller turns a failed scan into an error, the reader gets that error', async () => {
  scanner.server.behaviour.mode = 'dies';
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(10_000);
    })(),
    { objectMode: false },
  );
  const stream = new ScannedStream(endless, scanOf(), { errorFor });
  await expect(readAll(stream)).rejects.toThrow('not-scanned');
  expect(endless.destroyed).toBe(true);
});

test('an unread stream pauses its source', async () => {
  let produced = 0;
  const source = Readable.from(
    (function* () {
      for (; produced < 1_000; produced += 1) yield Buffer.alloc(100_000);
    })(),
    { objectMode: false },
  );
  const stream = new ScannedStream(source, scanOf(), { errorFor: () => undefined });
  await until(() => stream.readableLength > 0 || undefined, 'the first bytes');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(produced).toBeLessThan(20);
  stream.destroy();
});

test('a failure of the source reaches the reader and cancels the scan', async () => {
  const source = Readable.from(
    (async function* () {
      yield Buffer.from('start');
      throw new Error('the source broke');
    })(),
    { objectMode: false },
  );
  const scan = scanOf();
  await expect(readAll(new ScannedStream(source, scan, { errorFor }))).rejects.toThrow('the source broke');
  expect(await scan.verdict).toEqual({ state: 'not-scanned', reason: 'The scan was cancelled.' });
});

test('if the source failed before it was read, the stream fails', async () => {
  const source = streamOf('never read').on('error', () => {});
  const closed = new Promise((resolve) => source.on('close', resolve));
  source.destroy(new Error('the source broke'));
  await closed;
  await expect(readAll(new ScannedStream(source, scanOf(), { errorFor }))).rejects.toThrow('the source broke');
});
