/**
 * One measured relay run in its own process: `relay.js upload|download <port> <files> <bytes each> [scanned]`. Prints
 * the measurements as JSON.
 */
import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import { createExchange, createMemoryTokens, createServiceAgent } from '../../src/exchange/index.ts';
import { createScanner, ScannedStream, type Verdict } from '../../src/scan/index.ts';

const [direction, port, files, size, scanned] = process.argv.slice(2);
const bytes = Number(size);
const origin = `http://127.0.0.1:${port}`;
const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
const agent = new Agent();
const exchange = createExchange({
  baseUrl: `${origin}/0`,
  username: 'bench@example.com',
  apiKey: 'key',
  tokens: createMemoryTokens(),
  dispatcher,
});
let progress = 0;

const scanner = createScanner({
  address: { host: '127.0.0.1', port: Number(port) },
  maxBytes: Number.MAX_SAFE_INTEGER,
  isRequired: true,
});
const errorFor = ({ state }: Verdict) => (state === 'clean' ? undefined : new Error(state));
const verdicts: Promise<Verdict>[] = [];

/** In a scanned run, scans a file while it is relayed. */
function scanStream(stream: Readable): Readable {
  if (scanned !== 'scanned') return stream;
  const scan = scanner.start();
  verdicts.push(scan.verdict);
  return new ScannedStream(stream, scan, { errorFor });
}

async function upload(index: number): Promise<void> {
  await exchange.upload(
    {
      name: `${index}.bin`,
      size: bytes,
      open: async (signal) =>
        scanStream((await agent.request({ origin, path: `/bytes/${bytes}`, method: 'GET', signal })).body),
    },
    {
      onProgress: (sent) => {
        progress = sent;
      },
    },
  );
}

async function download(index: number): Promise<void> {
  const { stream, size: length } = await exchange.download({ url: `item${index}`, name: String(bytes) });
  const headers = { 'content-length': String(length) };
  const { statusCode, body } = await agent.request({
    origin,
    path: '/sink',
    method: 'POST',
    headers,
    body: scanStream(stream),
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
}

await exchange.signIn();
const before = process.cpuUsage();
const started = performance.now();
await Promise.all(
  Array.from({ length: Number(files) }, (_, index) => (direction === 'upload' ? upload(index) : download(index))),
);
if ((await Promise.all(verdicts)).some(({ state }) => state !== 'clean')) throw new Error('a file was not scanned');
const ms = performance.now() - started;
const cpu = process.cpuUsage(before);
if (direction === 'upload' && progress !== bytes) throw new Error('the last progress report is not the file size');
process.stdout.write(
  JSON.stringify({ ms, cpuMs: (cpu.user + cpu.system) / 1000, rssMb: process.resourceUsage().maxRSS / 1024 }),
);
await dispatcher.close();
await agent.close();
