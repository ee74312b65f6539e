import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { TokenStore } from '../exchange/index.ts';
import { type Audit, createAudit } from './audit.ts';
import { createDrawer, createDrawers, type Drawer, type DrawerKind } from './drawers.ts';
import { createLocks, type HeldLock } from './locks.ts';
import { migrate } from './migrate.ts';
import { markWith, openOwnSecret } from './own-secret.ts';
import { createPool, type DatabaseOptions } from './pool.ts';
import { refuseTransactionPooler } from './pooler.ts';
import { purgeWorkspace } from './purge.ts';
import { type Credentials, credentials, type Installation, installations } from './records.ts';
import { sweep } from './retention.ts';
import { createSealer, type SealedAgain, type Sealer, sealAgain } from './sealed-columns.ts';
import { createVault, type Vault } from './sealing.ts';
import { createSharedTokens } from './shared-tokens.ts';

export type { Act, Audit, AuditEntry, AuditFilter } from './audit.ts';
export { inBatches } from './batches.ts';
export { type Drawer, type DrawerKind, defineDrawer } from './drawers.ts';
export { type HeldLock, LockLostError, tryLock } from './locks.ts';
export { DatabaseTooNewError } from './migrate.ts';
export { SecretKeyError } from './own-secret.ts';
export { inTransaction } from './pool.ts';
export { TransactionPoolerError } from './pooler.ts';
export type { Credentials, Installation } from './records.ts';
export type { Sealer } from './sealed-columns.ts';
export { SealBrokenError, type Vault } from './sealing.ts';

export interface StoreOptions extends DatabaseOptions {
  /** 32 bytes each; the first encrypts, all decrypt. */
  secretKeys: readonly Buffer[];
}

/** Everything that is persisted. */
export interface Store {
  pool: pg.Pool;
  vault: Vault;
  /** Encrypts and decrypts the values of a column that is listed in sealed-columns.ts. */
  sealer(table: string, column: string): Sealer;
  /** By workspace. */
  credentials: Drawer<Credentials>;
  /** By workspace. */
  installations: Drawer<Installation>;
  /** A collection of another kind. The feature that owns it defines it. */
  drawer<T>(kind: DrawerKind<T>): Drawer<T>;
  /** By account, shared by all processes. */
  tokens: TokenStore;
  audit: Audit;
  /**
   * A keyed hash that recognises a text without storing it. It survives a change of SECRET_KEY. Without a key of the
   * database, guessed texts can't be checked against it.
   */
  markOf(text: string): string;
  /** Runs `work` under the lock of that name, which has one holder in the whole deployment. */
  withLock<T>(name: string, signal: AbortSignal | undefined, work: (lock: HeldLock) => Promise<T>): Promise<T>;
  /** Deletes expired data. */
  sweep(): Promise<Record<string, number>>;
  /** Deletes the workspace's data, except for the installation of the app. */
  purgeWorkspace(workspace: string): Promise<void>;
  /** After a key rotation: re-encrypts everything with the first key. */
  sealAgain(): Promise<SealedAgain>;
  /** Rejects unless the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const closeMs = 5_000;

/** Connects, migrates the database, and checks that the keys are those of its data. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { connection, secretKeys } = options;
  const vault = createVault(secretKeys);
  const pool = createPool(options);
  let ownSecret: Buffer;
  try {
    await refuseTransactionPooler(pool);
    await migrate(pool);
    ownSecret = await openOwnSecret(pool, vault);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const locks = createLocks(connection);
  return {
    pool,
    vault,
    sealer: (table, column) => createSealer(vault, table, column),
    credentials: createDrawer(pool, vault, credentials),
    installations: createDrawer(pool, vault, installations),
    drawer: createDrawers(pool, vault),
    tokens: createSharedTokens(pool, locks, vault),
    audit: createAudit(pool, vault),
    markOf: (text) => markWith(ownSecret, text),
    withLock: locks.withLock,
    sweep: () => sweep(pool),
    purgeWorkspace: (workspace) => purgeWorkspace(pool, workspace),
    sealAgain: () => sealAgain(pool, vault),
    ping: async () => {
      await pool.query('select 1');
    },
    // A connection that is still in use, by work that never ends, must not keep the process alive.
    close: async () => {
      const ended = Promise.all([pool.end(), locks.close()]);
      await Promise.race([ended, sleep(closeMs, undefined, { ref: false })]);
    },
  };
}
