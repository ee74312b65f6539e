import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import {
  createExchange,
  createMemoryTokens,
  createServiceAgent,
  type Exchange,
  type ExchangeOptions,
  type FileSource,
} from '../../src/exchange/index.ts';
import {
  type Account,
  type Drop,
  type ExchangeServer,
  type ExchangeServerOptions,
  type Operation as ServerOperation,
  startExchangeServer,
} from '../../src/sandbox/exchange/index.ts';

export const user = 'api@example.com';
export const apiKey = 'k3y:with "odd" ch@racters';

/** Creates a transfer for an account's history. A higher number is newer. */
export const sentEntry = (number: number, more: Partial<Drop> = {}): Drop => ({
  id: `d${number}`,
  type: 'downloadfiles',
  createdAt: 1_700_000_000_000 + number * 1_000,
  expiresAt: Date.now() + 1e9,
  ttl: 7,
  message: '',
  files: [{ name: `${number}.txt`, type: 'text/plain', bytes: 1, sha256: '' }],
  receivers: [{ email: `r${number}@example.org` }],
  pages: [],
  ...more,
});

export interface Clock {
  (): number;
  advance(ms: number): void;
}

export function createClock(start = Date.UTC(2026, 0, 1)): Clock {
  let now = start;
  return Object.assign(() => now, {
    advance(ms: number) {
      now += ms;
    },
  });
}

export interface Setup {
  server: ExchangeServer;
  /** The account on the service. */
  account: Account;
  exchange: Exchange;
  clock: Clock;
  /** Creates another client of the same service, with separate tokens by default. */
  client(options?: Partial<ExchangeOptions>): Exchange;
  /** Counts the calls of this operation that the service got. */
  callCount(operation: ServerOperation): number;
}

/** Starts a reference service with one account, and a client. Both are closed after the test. */
export async function setUp(
  options: { server?: ExchangeServerOptions; client?: Partial<ExchangeOptions> } = {},
): Promise<Setup> {
  const clock = createClock();
  const server = await startExchangeServer({ clock, ...options.server });
  const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
  onTestFinished(async () => {
    await dispatcher.destroy();
    await server.close();
  });
  const client = (more: Partial<ExchangeOptions> = {}) =>
    createExchange({
      baseUrl: server.url,
      username: user,
      apiKey,
      tokens: createMemoryTokens(),
      dispatcher,
      clock,
      ...options.client,
      ...more,
    });
  return {
    server,
    account: server.addAccount({ user, apiKey }),
    exchange: client(),
    clock,
    client,
    callCount: (operation) => server.calls.filter((call) => call.operation === operation).length,
  };
}

export function fileOf(name: string, data: string | Buffer, size = Buffer.byteLength(data)): FileSource {
  return { name, size, open: async () => Readable.from([Buffer.from(data)], { objectMode: false }) };
}

export async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray());
}

/** Returns the error that the promise rejects with. Throws if it doesn't reject. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error('expected a failure, got a success');
}
