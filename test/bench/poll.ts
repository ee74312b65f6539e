/**
 * Polls in a process of its own: `poll.js <port> <entries> <rounds>`. Each round does one of each, so that the noise of
 * the machine falls on all alike. Prints medians as JSON.
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

const samples: Record<string, number[]> = {};
const held: Record<string, number> = {};

async function measure(name: string, work: () => unknown): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await new Promise(setImmediate);
  delay.enable();
  const started = performance.now();
  await work();
  samples[name] ??= [];
  samples[name].push(performance.now() - started);
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  held[name] = Math.max(held[name] ?? 0, delay.max / 1e6);
}

const { digest } = await exchange.readInbox();
const body = await fetchBody();
// `unless` anything else makes the answer a changed one.
for (let round = -2; round < Number(rounds); round += 1) {
  if (round === 0) for (const name of Object.keys(samples)) [samples[name], held[name]] = [[], 0];
  await measure('parse', () => JSON.parse(body.toString()));
  await measure('plain poll', async () => JSON.parse((await fetchBody()).toString()));
  await measure('unchanged poll', () => exchange.readInbox({ unless: digest }));
  await measure('changed poll', () => exchange.readInbox({ unless: 'another' }));
}
const figures = Object.entries(samples).map(([name, times]) => ({ name, ms: median(times), heldMs: held[name] ?? 0 }));
process.stdout.write(JSON.stringify({ bytes: body.length, figures }));
await dispatcher.close();
await plain.close();
