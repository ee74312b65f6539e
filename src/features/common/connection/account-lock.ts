import { accountName } from '../../../exchange/index.ts';
import { accountQueue } from '../../../jobs/index.ts';
import type { HeldLock, Store } from '../../../store/index.ts';
import type { Guard } from './guarded.ts';

type Kind = Parameters<typeof accountQueue>[0];
type Locks = Pick<Store, 'withLock'>;

/**
 * For work that already holds the lock of its account's queue. Older versions accepted any spelling of an address, so
 * one account can have several queues. The work therefore also takes the lock of the canonical spelling, always second.
 */
export async function withCanonicalLock<F extends Guard, T>(
  { withLock }: Locks,
  kind: Kind,
  account: string,
  guard: F,
  work: (guard: F) => Promise<T>,
): Promise<T> {
  const canonical = accountName(account);
  if (canonical === account) return work(guard);
  return withLock(accountQueue(kind, canonical), guard.signal, ({ signal, check }) =>
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

/** Like `withCanonicalLock`, for work outside the account's queue: takes the lock of that queue first. */
export function withAccountLock<T>(
  locks: Locks,
  kind: Kind,
  account: string,
  signal: AbortSignal,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  return locks.withLock(accountQueue(kind, account), signal, (lock) =>
    withCanonicalLock(locks, kind, account, lock, work),
  );
}
