import { bounds } from '../../../lib/bounds.ts';
import { createCache } from '../../../lib/cache.ts';
import type { Store } from '../../../store/index.ts';
import type { Actor, Services } from '../../common/services.ts';
import { transfersIn } from '../repository.ts';

const ttlMs = 60_000;

/**
 * The lower-case addresses that a person recently sent to or requested files from, ranked by recency and frequency.
 * Cached, because a menu requests them on every keystroke.
 */
export function createRecentRecipients({ store }: Pick<Services, 'store'>): (actor: Actor) => Promise<string[]> {
  const cache = createCache<string[]>({ ttlMs, maxAgeMs: ttlMs, maxEntries: 1_000 });
  return ({ workspace, account, person }) =>
    cache.get(`${workspace} ${person} ${account ?? ''}`, () => readRecent(store, { workspace, account, person }));
}

async function readRecent(store: Store, { workspace, account, person }: Actor): Promise<string[]> {
  const filter = { workspace, account, person, states: ['sent', 'unknown'], limit: bounds.recentTransfers } as const;
  const newestFirst: string[][] = [];
  for await (const { recipients } of transfersIn(store).ended(filter))
    newestFirst.push(recipients.map(({ email }) => email));
  return rankRecipients(newestFirst);
}

/** A transfer's weight falls with its rank: 1/2 for the latest, then 1/3, 1/4, and so on. */
export function rankRecipients(newestFirst: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const [rank, emails] of newestFirst.entries()) {
    for (const email of new Set(emails.map((address) => address.toLowerCase()))) {
      scores.set(email, (scores.get(email) ?? 0) + 1 / (rank + 2));
    }
  }
  const bestFirst = [...scores].sort(([, a], [, b]) => b - a);
  return bestFirst.slice(0, bounds.recentRecipients).map(([email]) => email);
}
