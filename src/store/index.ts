import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TokenStore } from '../exchange/index.ts';
import { type Audit, createAudit } from './audit.ts';
import { type Collection, type CollectionDefinition, createCollection, createCollections } from './collections.ts';
import { type CredentialsStore, createCredentials } from './credentials.ts';
import { type ColumnCipher, createColumnCipher, type Reencrypted, reencrypt } from './encrypted-columns.ts';
import { type Cipher, createCipher } from './encryption.ts';
import { type Installation, installations } from './installations.ts';
import { createLocks, type HeldLock } from './locks.ts';
import { migrate } from './migrate.ts';
import { createOutage, type DatabaseLog, type Outage } from './outage.ts';
import { hmacWith, readOrCreateOwnSecret } from './own-secret.ts';
import { createPool } from './pool.ts';
import { requireSessions } from './pooler.ts';
import { explainDatabaseError } from './problem.ts';
import { purgeWorkspace } from './purge.ts';
import { sweep } from './retention.ts';
import { createSharedTokens } from './shared-tokens.ts';

export type { Audit, AuditEntry, AuditFilter, NewAuditEntry } from './audit.ts';
export { type AuditAction, type AuditDetails, type AuditFields, auditActions, firstOf } from './audit-actions.ts';
export { batchesBySize, inBatches } from './batches.ts';
export { accountKey, type Collection, type CollectionDefinition, defineCollection } from './collections.ts';
export type { Credentials } from './credentials.ts';
export type { ColumnCipher } from './encrypted-columns.ts';
export type { UpdateOptions } from './encrypted-keyv.ts';
export { type Cipher, DecryptionError, ValueTooLargeError } from './encryption.ts';
export type { Installation } from './installations.ts';
export { type HeldLock, LockLostError, lockInTransaction, tryLock } from './locks.ts';
export { OtherVersionError, otherVersion } from './migrate.ts';
export { SecretKeyError } from './own-secret.ts';
export { inTransaction } from './pool.ts';
export { openProbe, type Probe } from './probe.ts';
export { DatabaseProblem } from './problem.ts';

export interface StoreOptions {
  connection: pg.ClientConfig;
  maxConnections?: number | undefined;
  log?: DatabaseLog | undefined;
  /** 32 bytes each; the first encrypts, all decrypt. */
  secretKeys: readonly Buffer[];
}

/** Everything that is persisted. */
export interface Store {
  pool: pg.Pool;
  cipher: Cipher;
  /** Encrypts and decrypts the values of a column that is listed in encrypted-columns.ts. */
  columnCipher(table: string, column: string, maxBytes?: number): ColumnCipher;
  credentials: CredentialsStore;
  /** By workspace. */
  installations: Collection<Installation>;
  /** A collection of another kind. The feature that owns it defines it. */
  collection<T>(kind: CollectionDefinition<T>): Collection<T>;
  /** By account, shared by all processes. */
  tokens: TokenStore;
  audit: Audit;
  /**
   * Returns a keyed hash (HMAC), to recognise a text without storing it. Its key is the database's own secret, so it
   * stays the same when SECRET_KEY changes, and guessed texts can't be checked against it.
   */
  hmacOf(text: string): string;
  /** Runs `work` under the lock of that name, which has one holder across all processes. */
  withLock<T>(name: string, signal: AbortSignal | undefined, work: (lock: HeldLock) => Promise<T>): Promise<T>;
  /** Returns a log whose warnings have the level debug during an outage of the database, which is logged itself. */
  quiet: Outage['quiet'];
  /** Deletes expired data. */
  sweep(): Promise<Record<string, number>>;
  /** Deletes the workspace's data, except for the installation of the app and the tables and collections in `kept`. */
  purgeWorkspace(workspace: string, kept?: readonly string[]): Promise<void>;
  /** After a key rotation: re-encrypts everything with the first key. */
  reencrypt(): Promise<Reencrypted>;
  /** Rejects unless the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const closeTimeoutMs = 5_000;

/** Connects, migrates the database, and checks that one of the keys decrypts its data. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { connection, secretKeys, maxConnections, log } = options;
  const cipher = createCipher(secretKeys);
  await requireSessions(connection);
  const pool = createPool({ connection, maxConnections, onLost: (error) => outage.begin(error) });
  const outage = createOutage(log, () => pool.query('select 1'));
  let ownSecret: Buffer;
  try {
    await migrate(pool);
    ownSecret = await readOrCreateOwnSecret(pool, cipher);
  } catch (error) {
    outage.stop();
    await pool.end();
    throw error instanceof pg.DatabaseError ? explainDatabaseError(error) : error;
  }
  const locks = createLocks(connection, outage.begin);
  return {
    pool,
    cipher,
    columnCipher: (...column) => createColumnCipher(cipher, ...column),
    credentials: createCredentials(pool, cipher),
    installations: createCollection(pool, cipher, installations),
    collection: createCollections(pool, cipher),
    tokens: createSharedTokens(pool, locks, cipher),
    audit: createAudit(pool, cipher),
    hmacOf: (text) => hmacWith(ownSecret, text),
    withLock: locks.withLock,
    quiet: outage.quiet,
    sweep: () => sweep(pool),
    purgeWorkspace: (workspace, kept) => purgeWorkspace(pool, workspace, kept),
    reencrypt: () => reencrypt(pool, cipher),
    ping: async () => {
      await pool.query('select 1');
    },
    // If work never ends, its connection must not keep the process alive.
    close: async () => {
      outage.stop();
      const ended = Promise.all([pool.end(), locks.close()]);
      await Promise.race([ended, sleep(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}
