/**
 * Polls in its own process: `poll.js <port> <entries> <rounds>`. Each round runs every variant once, so that noise
 * affects all equally. Prints medians as JSON.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Agent } from 'undici';
import { createExchange, createMemoryTokens, createServiceAgent } from '../../src/exchange/index.ts';
import { median } from './figures.ts';

const [port, entries, rounds] = process.argv.slice(2);
const origin = `http://127.0.0.1:${port}`;
const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
const plain = new Agent();
const exchange = createExchange({
  baseUrl: `${origin}/${entries}`,
  username: 'bench@example.com',
  apiKey: 'key',
  tokens: createMemoryTokens(),
  dispatcher,
});

async function fetchBody(): Promise<Buffer> {
  const path = `/${entries}/bench@example.com/cgi/get_history.cgi`;
  const { body } = await plain.request({ origin, path, method: 'GET' });
  return Buffer.from(await body.arrayBuffer());
}

const { digest } = await exchange.readInbox();
const body = await fetchBody();
const variants: Record<string, () => unknown> = {
  parse: () => JSON.parse(body.toString()),
  'plain poll': async () => JSON.parse((await fetchBody()).toString()),
  'unchanged poll': () => exchange.readInbox({ knownDigest: digest }),
  // An unknown digest makes the answer count as changed.
  'changed poll': () => exchange.readInbox({ knownDigest: 'another' }),
};

const samples = new Map(Object.keys(variants).map((name) => [name, [] as number[]]));
for (let round = -Math.ceil(Number(rounds) / 2); round < Number(rounds); round += 1) {
  for (const [name, work] of Object.entries(variants)) {
    const started = performance.now();
    await work();
    if (round >= 0) samples.get(name)?.push(performance.now() - started); // negative rounds are warm-up
  }
}

/** Measured separately, because monitoring would distort the times. */
async function longestBlockMs(work: () => unknown): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let round = 0; round < 3; round += 1) {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  delay.disable();
  return delay.max / 1e6;
}

const figures = [];
for (const [name, work] of Object.entries(variants)) {
  figures.push({ name, ms: median(samples.get(name) ?? []), blockedMs: await longestBlockMs(work) });
}
process.stdout.write(JSON.stringify({ bytes: body.length, figures }));
await dispatcher.close();
await plain.close();
