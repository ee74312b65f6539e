import { accountName } from '../exchange/index.ts';
import { accountQueue } from '../jobs/index.ts';
import type { HeldLock, Store } from '../store/index.ts';
import type { Guard } from './guarded.ts';

type Kind = Parameters<typeof accountQueue>[0];
type Locks = Pick<Store, 'withLock'>;

/**
 * For work that has the lock of the account's queue. An older version let people connect with any spelling of an address:
 * such an account has a queue of its own, and the work also takes the lock of the plain spelling, always as the second.
 */
export async function withPlainLock<F extends Guard, T>(
  { withLock }: Locks,
  kind: Kind,
  account: string,
  guard: F,
  work: (guard: F) => Promise<T>,
): Promise<T> {
  const plain = accountName(account);
  if (plain === account) return work(guard);
  return withLock(accountQueue(kind, plain), guard.signal, ({ signal, check }) =>
    work({
      ...guard,
      signal,
      async check() {
        await guard.check();
        await check();
      },
    }),
  );
}

/** For work that is no job of the account's queue. */
export function withAccountLock<T>(
  locks: Locks,
  kind: Kind,
  account: string,
  signal: AbortSignal,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  return locks.withLock(accountQueue(kind, account), signal, (lock) => withPlainLock(locks, kind, account, lock, work));
}
