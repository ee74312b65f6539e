/** Reads a history like the bot, in its own process: `history-reader.js <ReaderOptions as JSON>`. */
import type pg from 'pg';
import { createExchange, createServiceAgent } from '../../src/exchange/index.ts';
import { connect } from '../../src/features/account/connect/operations.ts';
import { readHistoryPage } from '../../src/features/history/operations.ts';
import { takeSnapshot } from '../../src/features/transfers/history/entries.ts';
import type { Transfer } from '../../src/features/transfers/transfer.ts';
import { openQueue } from '../../src/jobs/index.ts';
import { openStore } from '../../src/store/index.ts';
import { silentServices } from './silent-services.ts';

export interface ReaderOptions {
  connection: pg.ClientConfig;
  baseUrl: string;
  /** Pages that are read concurrently. */
  pages: number[];
  /** The file name of the transfer that is compared with the history. */
  file: string;
}

async function main({ connection, baseUrl, pages, file }: ReaderOptions): Promise<void> {
  const store = await openStore({ connection, secretKeys: [Buffer.alloc(32)] });
  const queue = await openQueue(store.pool);
  const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
  const login = { baseUrl, username: 'api@example.com', apiKey: 'key' };
  const services = silentServices(store, queue, (credentials) =>
    createExchange({ ...credentials, tokens: store.tokens, dispatcher }),
  );
  const admin = { workspace: 'T1', person: 'U-admin' };
  await connect(services, admin, login);
  const read = await Promise.all(pages.map((page) => readHistoryPage(services, admin, { page, pageSize: 8 })));
  const exchange = services.connectTo(login);
  const transfer = transferOf(exchange.account, file);
  const { related = [], total } = await takeSnapshot(services, exchange, transfer);
  const shown = read.map(({ entries, total: all }) => [entries.length, all]);
  process.stdout.write(
    `${JSON.stringify({ shown, related: related.length, different: new Set(related).size, total })}\n`,
  );
  await queue.close();
  await store.close();
  await dispatcher.close();
}

const transferOf = (account: string, name: string): Transfer => ({
  id: '00000000-0000-4000-8000-000000000000',
  kind: 'send',
  workspace: 'T1',
  account,
  person: 'U-admin',
  state: 'running',
  cancelledBy: undefined,
  createdAt: new Date(),
  startsAt: undefined,
  committedAt: undefined,
  endedAt: undefined,
  notifiedAt: undefined,
  isSeen: false,
  recipients: [],
  files: [{ id: 'F1', name, size: 1, stamp: '1' }],
  message: '',
  expiresAfter: 7,
  progress: {},
  approval: undefined,
  locations: {},
});

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]));
