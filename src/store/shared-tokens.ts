import type pg from 'pg';
import { z } from 'zod';
import { isLaterUse, type StoredToken, type TokenStore } from '../exchange/index.ts';
import { createBatcher } from '../lib/batcher.ts';
import { accountKey, createCollection, defineCollection } from './collections.ts';
import type { Cipher } from './encryption.ts';
import type { Locks } from './locks.ts';

const tokens = defineCollection('csrf', z.object({ value: z.string(), lastUsed: z.number() }));

/** The service's tokens expire after 15 minutes; the row is kept a while longer. */
const rowTtlMs = 3_600_000;
const lockTimeoutMs = 120_000;
/** Uses of tokens within this time are recorded together. */
const batchMs = 50;

/** The CSRF tokens of all accounts: one each for the whole deployment, renewed by one process at a time. */
export function createSharedTokens(pool: pg.Pool, locks: Pick<Locks, 'withLock'>, cipher: Cipher): TokenStore {
  const collection = createCollection(pool, cipher, tokens);
  const write = (account: string, token: StoredToken) =>
    collection.set(accountKey(account), token, { ttlMs: rowTtlMs });
  const recordUses = createBatcher(
    async (uses: readonly { account: string; token: StoredToken }[]) => {
      // All reads are one statement, and all writes another. An unreadable row affects only its own account.
      const read = (account: string) => collection.get(accountKey(account)).catch(() => undefined);
      const stored = await Promise.all(uses.map(({ account }) => read(account)));
      const laterUses = uses.filter(({ token }, index) => isLaterUse(token, stored[index]));
      await Promise.all(laterUses.map(({ account, token }) => write(account, token)));
    },
    { waitMs: batchMs },
  );
  return {
    read: (account) => collection.get(accountKey(account)),
    write,
    recordUse: (account, token) => recordUses({ account, token }),
    // The process with the lock only fetches one page. If it hangs, the others must not wait forever.
    exclusively: (account, work) => locks.withLock(`csrf ${account}`, AbortSignal.timeout(lockTimeoutMs), work),
  };
}
