import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openStore, type Store, type StoreOptions } from '../../src/store/index.ts';
import type { TestDatabase, TestPostgres } from './postgres.ts';

export interface StoreSetup {
  database: TestDatabase;
  store: Store;
  secretKeys: Buffer[];
  /** Opens another store on the same database, like another process. */
  openAnotherStore(options?: Partial<StoreOptions>): Promise<Store>;
}

/** Registers a cleanup for after the test, or after its file. */
export type OnCleanup = (close: () => Promise<void>) => void;

/** Opens a store on its own database. After the test, it is closed and the database is dropped. */
export async function setUpStore(postgres: TestPostgres): Promise<StoreSetup> {
  const database = await postgres.createDatabase();
  onTestFinished(() => database.drop());
  return openStoreOn(database, onTestFinished);
}

export async function openStoreOn(database: TestDatabase, onCleanup: OnCleanup): Promise<StoreSetup> {
  const secretKeys = [randomBytes(32)];
  const open = async (options: Partial<StoreOptions>, onCleanup: OnCleanup) => {
    const store = await openStore({ connection: database.connection, secretKeys, maxConnections: 6, ...options });
    onCleanup(() => store.close());
    return store;
  };
  return {
    database,
    secretKeys,
    store: await open({}, onCleanup),
    openAnotherStore: (options = {}) => open(options, onTestFinished),
  };
}
