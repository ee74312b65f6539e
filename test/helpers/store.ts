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

/** When something is to be closed: after the test, or after its file. */
export type Later = (close: () => Promise<void>) => void;

/** A store on a database of its own; both are gone when the test is over. */
export async function setUpStore(postgres: TestPostgres): Promise<StoreSetup> {
  const database = await postgres.createDatabase();
  onTestFinished(() => database.drop());
  return openStoreOn(database, onTestFinished);
}

export async function openStoreOn(database: TestDatabase, later: Later): Promise<StoreSetup> {
  const secretKeys = [randomBytes(32)];
  const open = async (options: Partial<StoreOptions>, closeLater: Later) => {
    const store = await openStore({ connection: database.connection, secretKeys, maxConnections: 6, ...options });
    closeLater(() => store.close());
    return store;
  };
  return {
    database,
    secretKeys,
    store: await open({}, later),
    another: (options = {}) => open(options, onTestFinished),
  };
}
