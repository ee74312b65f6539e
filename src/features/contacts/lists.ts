import { bounds } from '../../bounds.ts';
import { type Cache, createCache } from '../../cache.ts';
import type { Contact, ContactLists } from '../../exchange/index.ts';
import type { Store } from '../../store/index.ts';
import { connectionOf } from '../connection.ts';
import type { Services } from '../services.ts';

const mostCached = 50;
const renewalMs = 2_000;
const oldMs = 15 * 60_000;

/**
 * What this process has read lately, by workspace and account: of two that share an account, the key of one may be
 * revoked, and then it neither sees what the other reads nor keeps it from reading. Edits never use it: they read for
 * themselves, under the lock.
 */
const cachesByStore = new WeakMap<Store, { cache: Cache<ContactLists>; renewed: Cache<void> }>();

/** The contacts to show or to choose from; a few seconds old at most, unless `fresh` is asked for. */
export async function contactsOf(
  services: Services,
  workspace: string,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<ContactLists> {
  const { exchange } = await connectionOf(services, workspace);
  const { cache } = cachesOf(services);
  return cache[fresh ? 'renew' : 'get'](keyOf(workspace, exchange.account), () => exchange.readContacts());
}

/** What was read last, a quarter of an hour ago at most, for whoever cannot wait; it is being read anew meanwhile. */
export async function contactsAtHand(services: Services, workspace: string): Promise<ContactLists> {
  const { exchange } = await connectionOf(services, workspace);
  return cachesOf(services).cache.getStale(keyOf(workspace, exchange.account), () => exchange.readContacts());
}

/** As they are now, for whoever misses somebody among those at hand: asked for no more often than every other second. */
export async function contactsAgain(services: Services, workspace: string): Promise<ContactLists> {
  const { exchange } = await connectionOf(services, workspace);
  const key = keyOf(workspace, exchange.account);
  const { cache, renewed } = cachesOf(services);
  const ask = () => exchange.readContacts();
  await renewed.get(key, async () => void (await cache.renew(key, ask)));
  return cache.get(key, ask, oldMs);
}

/** Of every workspace that shares the account. */
export function forgetContacts(services: Services, account: string): void {
  const { cache, renewed } = cachesOf(services);
  for (const answers of [cache, renewed]) answers.forgetAll((key) => key.endsWith(keyOf('', account)));
}

/** The workspace's id has no space in it, and an account begins with its address: none is the end of another. */
function keyOf(workspace: string, account: string): string {
  return `${workspace} ${account}`;
}

function cachesOf({ store, timing }: Services) {
  const weight = { most: bounds.cachedContactsBytes, of: weightOf };
  const found = cachesByStore.get(store) ?? {
    cache: createCache<ContactLists>({ lifeMs: timing.contactsLifeMs, oldMs, most: mostCached, weight }),
    // When they were renewed; the lists themselves are kept once.
    renewed: createCache<void>({ lifeMs: renewalMs, most: mostCached }),
  };
  cachesByStore.set(store, found);
  return found;
}

/** About what the lists take in memory: each contact's text, what was read from it, and its groups however short. */
function weightOf({ local, global }: ContactLists): number {
  const sum = (total: number, { json, groups }: Contact) => total + 2 * json.length + 200 + 32 * groups.length;
  return global.reduce(sum, local.reduce(sum, 0));
}
