/** Measures the peak memory of a process that only polls: `poll-memory.js <port> <entries>`. Prints megabytes. */
import { createExchange, createMemoryTokens, createServiceAgent } from '../../src/exchange/index.ts';

const [port, entries] = process.argv.slice(2);
const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
const exchange = createExchange({
  baseUrl: `http://127.0.0.1:${port}/${entries}`,
  username: 'bench@example.com',
  apiKey: 'key',
  tokens: createMemoryTokens(),
  dispatcher,
});
for (let round = 0; round < 5; round += 1) await exchange.readInbox({ knownDigest: 'another' });
process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
await dispatcher.close();
