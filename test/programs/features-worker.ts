/** A worker with the jobs that don't use Slack, in its own process: `features-worker.js <WorkerOptions as JSON>`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { request } from 'undici';
import { createExchange, createServiceAgent, type Exchange } from '../../src/exchange/index.ts';
import { operationJobs } from '../../src/features/jobs.ts';
import type { TransferServices } from '../../src/features/transfers/kind.ts';
import { openQueue, startRunner } from '../../src/jobs/index.ts';
import { openStore } from '../../src/store/index.ts';
import { silentServices } from './silent-services.ts';

export interface WorkerOptions {
  connection: pg.ClientConfig;
  secretKey: string;
  /** The URL from which files are read. */
  sources: string;
  /** For each account, the call (number or name) at which the process kills itself. It happens once per account. */
  crashes?: Record<string, { call: number | string; where: 'before' | 'after' }>;
  /** The longest random delay before each call. */
  delayMs?: number;
  concurrency?: number;
}

export const createCrashesSql = 'create table crashes (account text primary key, call text)';

async function main({ connection, secretKey, sources, crashes = {}, delayMs = 0, concurrency = 1 }: WorkerOptions) {
  const store = await openStore({ connection, secretKeys: [Buffer.from(secretKey, 'base64')], maxConnections: 6 });
  const queue = await openQueue(store.pool);
  const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
  const counts = new Map<string, number>();

  async function crashAt(account: string, name: string, call: number, where: 'before' | 'after'): Promise<void> {
    const crash = crashes[account];
    if (crash?.where !== where || (crash.call !== call && crash.call !== name)) return;
    const sql = 'insert into crashes (account, call) values ($1, $2) on conflict do nothing';
    const { rowCount } = await store.pool.query(sql, [account, `${where} ${call} ${name}`]);
    if (rowCount === 0) return;
    process.kill(process.pid, 'SIGKILL');
    await sleep(60_000); // SIGKILL arrives before the next line can run
  }

  /** Counts every call, and kills the process at the configured one. */
  function withCrash(exchange: Exchange): Exchange {
    const { account } = exchange;
    const wrapped = Object.entries(exchange).map(([name, method]) => {
      if (typeof method !== 'function') return [name, method];
      const call = async (...args: unknown[]) => {
        const number = (counts.get(account) ?? 0) + 1;
        counts.set(account, number);
        if (delayMs > 0) await sleep(Math.random() * delayMs);
        await crashAt(account, name, number, 'before');
        const result = await (method as (...all: unknown[]) => Promise<unknown>)(...args);
        await crashAt(account, name, number, 'after');
        return result;
      };
      return [name, call];
    });
    return { ...(Object.fromEntries(wrapped) as Exchange), with: (hooks) => withCrash(exchange.with(hooks)) };
  }

  const services: TransferServices = {
    ...silentServices(store, queue, (login) =>
      withCrash(createExchange({ ...login, tokens: store.tokens, dispatcher })),
    ),
    sources: {
      async inspect(_, id) {
        const { statusCode, body } = await request(`${sources}/look/${id}`);
        const text = await body.text();
        return statusCode === 200 ? JSON.parse(text) : undefined;
      },
      open: async (_, id) => (await request(`${sources}/open/${id}`)).body,
    },
  };
  await startRunner({
    store,
    handlers: operationJobs(services),
    concurrency,
    deadAfterSeconds: 0,
    reapEveryMs: 200,
    log: {
      debug() {},
      info() {},
      warn() {},
      error: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
    },
  });
  process.stdout.write('ready\n');
}

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]));
