import type pg from 'pg';
import { createClosers } from './closers.ts';
import type { Config } from './config.ts';
import { openQueue, type Queue } from './jobs/index.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { readOrMakeSecretKey } from './secret-key.ts';
import { startEmbeddedPostgres } from './store/embedded/index.ts';
import { openStore, type Store } from './store/index.ts';

/** What the rest is given. */
export interface Services {
  log: Log;
  metrics: Metrics;
  store: Store;
  queue: Queue;
  /** Closes everything, the last opened first. */
  close(): Promise<void>;
}

export async function openServices({ database }: Pick<Config, 'database'>, log: Log): Promise<Services> {
  const closers = createClosers(log);
  const close = closers.closeAll;
  try {
    let connection: pg.ClientConfig;
    let secretKeys: readonly Buffer[];
    if ('url' in database) {
      connection = { connectionString: database.url };
      secretKeys = database.secretKeys;
    } else {
      const embedded = await startEmbeddedPostgres({ dataDir: database.dataDir, log });
      closers.add(embedded.stop);
      connection = embedded.connection;
      secretKeys = database.secretKeys ?? [await readOrMakeSecretKey(database.dataDir)];
    }
    const store = await openStore({ connection, secretKeys, log });
    closers.add(store.close);
    const queue = await openQueue(store.pool, log);
    closers.add(queue.close);
    return { log, metrics: createMetrics(), store, queue, close };
  } catch (error) {
    await close();
    throw error;
  }
}
