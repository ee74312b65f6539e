import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openStore, type Store, type StoreOptions } from '../../src/store/index.ts';
import type { TestDatabase, TestPostgres } from './postgres.ts';

export interface StoreSetup {
  database: TestDatabase;
  store: Store;
  secretKeys: Buffer[];
  /** Another process's store on the same database, as far as the database can tell. */
  another(options?: Partial<StoreOptions>): Promise<Store>;
}

/** A store on a database of its own; both are gone when the test is over. */
export async function setUpStore(postgres: TestPostgres): Promise<StoreSetup> {
  const database = await postgres.createDatabase();
  const secretKeys = [randomBytes(32)];
  const opened: Store[] = [];
  onTestFinished(async () => {
    for (const store of opened) await store.close();
    await database.drop();
  });
  const another = async (options: Partial<StoreOptions> = {}) => {
    const store = await openStore({ connection: database.connection, secretKeys, maxConnections: 6, ...options });
    opened.push(store);
    return store;
  };
  return { database, secretKeys, another, store: await another() };
}
