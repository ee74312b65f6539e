import { bounds } from '../../../bounds.ts';
import { type Cache, createCache } from '../../../cache.ts';
import type { Contact, ContactLists } from '../../../exchange/index.ts';
import type { Store } from '../../../store/index.ts';
import { connectionOf } from '../../common/connection/connection.ts';
import type { Services } from '../../common/services.ts';

const mostCached = 50;
const renewalMs = 2_000;
const oldMs = 15 * 60_000;

/**
 * Recently read lists, by workspace and account. Workspaces that share an account don't share an entry: if the key of
 * one is revoked, it must neither see the other's list nor block its reads. Edits don't use the cache: they read under
 * the lock.
 */
const cachesByStore = new WeakMap<Store, { cache: Cache<ContactLists>; renewed: Cache<void> }>();

/** Contacts to show or to select from: read now if `fresh`, otherwise at most some seconds old. */
export async function contactsOf(
  services: Services,
  workspace: string,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<ContactLists> {
  const { exchange } = await connectionOf(services, workspace);
  const { cache } = cachesOf(services);
  return cache[fresh ? 'renew' : 'get'](keyOf(workspace, exchange.account), () => exchange.readContacts());
}

/** The last list, at most 15 minutes old, for callers that can't wait. Reloads it in the background. */
export async function cachedContacts(services: Services, workspace: string): Promise<ContactLists> {
  const { exchange } = await connectionOf(services, workspace);
  return cachesOf(services).cache.getStale(keyOf(workspace, exchange.account), () => exchange.readContacts());
}

/** The current list, if a contact is missing from the cached one. Reads it at most every two seconds. */
export async function contactsAgain(services: Services, workspace: string): Promise<ContactLists> {
  const { exchange } = await connectionOf(services, workspace);
  const key = keyOf(workspace, exchange.account);
  const { cache, renewed } = cachesOf(services);
  const ask = () => exchange.readContacts();
  await renewed.get(key, async () => void (await cache.renew(key, ask)));
  return cache.get(key, ask, oldMs);
}

/** Clears the lists of every workspace that shares the account. */
export function forgetContacts(services: Services, account: string): void {
  const { cache, renewed } = cachesOf(services);
  for (const answers of [cache, renewed]) answers.forgetAll((key) => key.endsWith(keyOf('', account)));
}

/** A workspace id has no space and an account starts with its URL, so that no account is the suffix of another. */
function keyOf(workspace: string, account: string): string {
  return `${workspace} ${account}`;
}

function cachesOf({ store, timing }: Services) {
  const weight = { most: bounds.cachedContactsBytes, of: weightOf };
  const found = cachesByStore.get(store) ?? {
    cache: createCache<ContactLists>({ lifeMs: timing.contactsLifeMs, oldMs, most: mostCached, weight }),
    // Only limits how often lists are renewed; the lists themselves are in `cache`.
    renewed: createCache<void>({ lifeMs: renewalMs, most: mostCached }),
  };
  cachesByStore.set(store, found);
  return found;
}

/** Approximate memory of the lists: each contact's JSON, its parsed fields, and its groups, however short. */
function weightOf({ local, global }: ContactLists): number {
  const sum = (total: number, { json, groups }: Contact) => total + 2 * json.length + 200 + 32 * groups.length;
  return global.reduce(sum, local.reduce(sum, 0));
}
