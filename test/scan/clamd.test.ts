import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/sandbox/free-port.ts';
import { testMalware, testSignature } from '../../src/sandbox/scanner.ts';
import { type ClamdOptions, readVersion, startScan } from '../../src/scan/clamd.ts';
import { startTestScanner } from './helper.ts';

const scanner = startTestScanner();

const options = (more: Partial<ClamdOptions> = {}): ClamdOptions => ({
  address: { host: '127.0.0.1', port: scanner.server.port },
  maxBytes: 1_000_000,
  ...more,
});

/** Scans these chunks as one file. */
async function scan(chunks: readonly (string | Buffer)[], more: Partial<ClamdOptions> = {}) {
  const running = startScan(options(more));
  for (const chunk of chunks) {
    if (!running.write(Buffer.from(chunk))) await new Promise<void>((resolve) => running.onReady(resolve));
  }
  running.end();
  return running.verdict;
}

test('a clean file is reported as clean, and the scanner gets every byte', async () => {
  expect(await scan(['one', '', 'two'])).toEqual({ state: 'clean' });
  expect(await scan([])).toEqual({ state: 'clean' });
  expect(scanner.server.scanned).toEqual([6, 0]);
});

test('malware in one chunk or spread over two is reported with its signature', async () => {
  const found = { state: 'infected', signature: testSignature };
  expect(await scan([`before ${testMalware} after`])).toEqual(found);
  expect(await scan([testMalware.slice(0, 5), testMalware.slice(5)])).toEqual(found);
});

test("an empty chunk doesn't end the file", async () => {
  expect(await scan(['start', '', testMalware])).toMatchObject({ state: 'infected' });
});

test('a file over the size limit counts as not scanned', async () => {
  const tooLarge = { state: 'not-scanned', reason: 'The file is larger than the scanner accepts.' };
  expect(await scan(['12345', '6'], { maxBytes: 5 })).toEqual(tooLarge);
  expect(await scan(['12345'], { maxBytes: 5 })).toEqual({ state: 'clean' });
  scanner.server.behaviour.maxBytes = 3;
  expect(await scan(['12345'])).toMatchObject({ state: 'not-scanned' });
});

test.each([
  ['stream: OK', 'without its end'],
  ['stream: OK \0', 'an extra space'],
  ['stream: ok\0', 'lower case'],
  ['OK\0', 'no prefix'],
  ['stream: Some.Malware FOU\0', 'a truncated finding'],
  ['stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND\0', 'a limit of the scanner'],
  ['stream: Heuristics.Encrypted.Zip FOUND\0', 'an encrypted archive'],
  ['\0', 'an empty answer'],
  ['x'.repeat(5_000), 'too long'],
  ['stream: lstat() failed: No such file. ERROR\0', 'an error'],
])('a file counts as not scanned if the scanner answers %j (%s)', async (answer) => {
  scanner.server.behaviour.answer = answer;
  expect(await scan(['file'])).toMatchObject({ state: 'not-scanned' });
});

test('a long signature is shortened, and its control characters are replaced', async () => {
  scanner.server.behaviour.answer = `stream: A\u001b[31m<@U1>${'x'.repeat(300)} FOUND\0`;
  const verdict = await scan(['file']);
  expect(verdict).toEqual({ state: 'infected', signature: `A?[31m<@U1>${'x'.repeat(89)}` });
});

test('a file counts as not scanned if the scanner answers before the file is complete', async () => {
  scanner.server.behaviour.mode = 'early';
  const running = startScan(options());
  running.write(Buffer.from('start'));
  expect(await running.verdict).toMatchObject({ state: 'not-scanned' });
});

test.each(['closes', 'dies'] as const)('a file counts as not scanned if the connection fails (%s)', async (mode) => {
  scanner.server.behaviour.mode = mode;
  expect(await scan(['file'])).toEqual({ state: 'not-scanned', reason: 'The connection to the scanner failed.' });
});

test('if the scanner is down, a file counts as not scanned and readVersion fails', async () => {
  const address = { host: '127.0.0.1', port: await freePort(0) };
  expect(await scan(['file'], { address })).toMatchObject({ state: 'not-scanned' });
  await expect(readVersion(options({ address }))).rejects.toThrow('ECONNREFUSED');
});

test('a file counts as not scanned if the scanner stalls or never answers', async () => {
  scanner.server.behaviour.mode = 'stalls';
  const chunks = Array.from({ length: 200 }, () => Buffer.alloc(100_000));
  const stalled = await scan(chunks, { maxBytes: 1e9, limits: { stallMs: 100 } });
  expect(stalled).toEqual({ state: 'not-scanned', reason: "The scanner didn't accept the file in time." });
  scanner.server.behaviour.mode = 'never answers';
  const silent = await scan(['file'], { limits: { answerMs: 100 } });
  expect(silent).toEqual({ state: 'not-scanned', reason: "The scanner didn't finish in time." });
});

test('the file of a cancelled scan counts as not scanned', async () => {
  const running = startScan(options());
  running.write(Buffer.from('start'));
  running.cancel();
  expect(await running.verdict).toMatchObject({ state: 'not-scanned' });
});

test('the version is read over TCP and over a Unix socket', async () => {
  expect(await readVersion(options())).toMatch(/^ClamAV 1\.0\.0-simulated/);
  const path = join(tmpdir(), `dropline-clamd-${process.pid}.sock`);
  const server = createServer((socket) => void socket.end('ClamAV 9\0'));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  expect(await readVersion(options({ address: { path } }))).toBe('ClamAV 9');
});

test("reading the version of a server that isn't clamd fails", async () => {
  const server = createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\0'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  await expect(readVersion(options({ address: { host: '127.0.0.1', port } }))).rejects.toThrow('unknown answer');
});
