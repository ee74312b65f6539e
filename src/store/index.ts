import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../lib/log.ts';
import { createAudit } from './audit.ts';
import { createChains } from './chain.ts';
import { createCollection, createCollections } from './collections.ts';
import { createCredentials, type Desk } from './credentials.ts';
import { createColumnCipher, reencrypt, renameChannel, rewriteEncrypted } from './encrypted-columns.ts';
import { createCipher } from './encryption.ts';
import { installations } from './installations.ts';
import { createLocks } from './locks.ts';
import { migrate } from './migrate.ts';
import { createOutage } from './outage.ts';
import { hmacWith, readOrCreateOwnSecret } from './own-secret.ts';
import { createPool } from './pool.ts';
import { requireSessions } from './pooler.ts';
import { explainDatabaseError } from './problem.ts';
import { purgeAccount, purgeWorkspace } from './purge.ts';
import { sweep } from './retention.ts';
import { createSharedTokens } from './shared-tokens.ts';
import { createSigningKeys } from './signing-keys.ts';

export type { Audit, AuditEntry, AuditFilter, NewAuditEntry } from './audit.ts';
export {
  type AuditAction,
  type AuditDetails,
  type AuditFields,
  auditActions,
  firstOf,
  operator,
} from './audit-actions.ts';
export { batchesBySize, inBatches } from './batches.ts';
export { type ChainedEntry, type ChainReport, initialAuditDays } from './chain.ts';
export { accountKey, type Collection, type CollectionDefinition, defineCollection } from './collections.ts';
export {
  type Credentials,
  type Desk,
  type DeskIds,
  idsOfDesk,
  nameIn,
  noDesk,
  SeveralAccountsError,
} from './credentials.ts';
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
  maxConnections?: number;
  log?: Log;
  /** 32 bytes each; the first encrypts, all decrypt. */
  secretKeys: readonly Buffer[];
}

/** Everything that is persisted. */
export type Store = Awaited<ReturnType<typeof openStore>>;

const closeTimeoutMs = 5_000;

/** Connects, migrates the database, and checks that one of the keys decrypts its data. */
export async function openStore({ connection, secretKeys, maxConnections, log }: StoreOptions) {
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
  const signingKeys = createSigningKeys(pool, cipher);
  const credentials = createCredentials(pool, cipher);
  return {
    pool,
    cipher,
    /** Encrypts and decrypts the values of a column that is listed in encrypted-columns.ts. */
    columnCipher: (table: string, column: string, maxBytes?: number) =>
      createColumnCipher(cipher, table, column, maxBytes),
    credentials,
    /** By workspace. */
    installations: createCollection(pool, cipher, installations),
    /** A collection of another kind. The feature that owns it defines it. */
    collection: createCollections(pool, cipher),
    /** By account, shared by all processes. */
    tokens: createSharedTokens(pool, locks, cipher),
    audit: createAudit(pool, cipher, credentials),
    /** The audit entries of each workspace, chained by hashes. */
    chains: createChains(pool, cipher),
    /** The keys that sign receipts. */
    signingKeys,
    /**
     * Returns a keyed hash (HMAC), to recognise a text without storing it. Its key is the database's own secret, so it
     * stays the same when SECRET_KEY changes, and guessed texts can't be checked against it.
     */
    hmacOf: (text: string) => hmacWith(ownSecret, text),
    withLock: locks.withLock,
    quiet: outage.quiet,
    /** Deletes expired data, except audit entries. */
    sweep: () => sweep(pool),
    /** Deletes what belongs to one of several accounts. */
    purgeAccount: (desk: Required<Desk>) => purgeAccount(pool, desk),
    /** Deletes the workspace's data, except for the installation of the app and the tables and collections in `kept`. */
    purgeWorkspace: (workspace: string, kept?: readonly string[]) => purgeWorkspace(pool, workspace, kept),
    /** Changes the workspace's encrypted values that contain the text, except its audit. `within` is a transaction. */
    renameChannel,
    rewriteEncrypted: (within: pg.ClientBase, workspace: string, text: string, change: (value: string) => string) =>
      rewriteEncrypted(within, cipher, workspace, text, change),
    /** After a key rotation: makes a new signing key, and re-encrypts everything with the first key. */
    async reencrypt() {
      await signingKeys.renew();
      return reencrypt(pool, cipher);
    },
    /** Rejects unless the database answers. */
    ping: async (): Promise<void> => {
      await pool.query('select 1');
    },
    // If work never ends, its connection must not keep the process alive.
    close: async (): Promise<void> => {
      outage.stop();
      const ended = Promise.all([pool.end(), locks.close()]);
      await Promise.race([ended, sleep(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}
