import { bounds } from '../../../bounds.ts';
import { type Cache, createCache } from '../../../cache.ts';
import type { Contact, ContactLists } from '../../../exchange/index.ts';
import type { Store } from '../../../store/index.ts';
import { connectionOf } from '../../common/connection.ts';
import type { Services } from '../../common/services.ts';

const maxCached = 50;
const renewalMs = 2_000;
const maxAgeMs = 15 * 60_000;

/**
 * Recently read lists, by workspace and account. Workspaces that share an account don't share an entry: if one
 * workspace's key is revoked, that workspace must neither see the other's list nor block the other's reads. Edits
 * bypass the cache and read under the lock.
 */
const cachesByStore = new WeakMap<Store, { cache: Cache<ContactLists>; renewals: Cache<void> }>();

/** Contacts to show or to select from: read now if `fresh`, otherwise up to `timing.contactsTtlMs` old. */
export async function contactsOf(
  services: Services,
  workspace: string,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<ContactLists> {
  const { exchange } = await connectionOf(services, workspace);
  const { cache } = cachesOf(services);
  return cache[fresh ? 'renew' : 'get'](keyOf(workspace, exchange.account), () => exchange.readContacts());
}

/** A list that is at most 15 minutes old, for callers that can't wait. Reloads an outdated list in the background. */
export async function cachedContacts(services: Services, workspace: string): Promise<ContactLists> {
  const { exchange } = await connectionOf(services, workspace);
  return cachesOf(services).cache.getStale(keyOf(workspace, exchange.account), () => exchange.readContacts());
}

/** Reads the list again, at most every two seconds. For callers that didn't find a contact in the cached list. */
export async function refreshedContacts(services: Services, workspace: string): Promise<ContactLists> {
  const { exchange } = await connectionOf(services, workspace);
  const key = keyOf(workspace, exchange.account);
  const { cache, renewals } = cachesOf(services);
  const load = () => exchange.readContacts();
  await renewals.get(key, async () => void (await cache.renew(key, load)));
  return cache.get(key, load, maxAgeMs);
}

/** Clears the lists of every workspace that shares the account. */
export function clearCachedContacts(services: Services, account: string): void {
  const { cache, renewals } = cachesOf(services);
  for (const each of [cache, renewals]) each.deleteWhere((key) => key.endsWith(keyOf('', account)));
}

/** Workspace ids have no spaces and accounts start with their URL: only an account's own keys end with ` <account>`. */
function keyOf(workspace: string, account: string): string {
  return `${workspace} ${account}`;
}

function cachesOf({ store, timing }: Services) {
  const weight = { maxTotal: bounds.cachedContactsBytes, of: approximateBytes };
  const caches = cachesByStore.get(store) ?? {
    cache: createCache<ContactLists>({
      ttlMs: timing.contactsTtlMs,
      maxAgeMs,
      maxEntries: maxCached,
      weight,
    }),
    // Limits how often lists are reloaded. Holds no lists: these are in `cache`.
    renewals: createCache<void>({ ttlMs: renewalMs, maxEntries: maxCached }),
  };
  cachesByStore.set(store, caches);
  return caches;
}

/** Approximate memory of the lists, in bytes: each contact's JSON, its fields, and what is derived from them. */
function approximateBytes({ local, global }: ContactLists): number {
  const sum = (total: number, { json, groups }: Contact) => total + 4 * json.length + 500 + 100 * groups.length;
  return global.reduce(sum, local.reduce(sum, 0));
}
