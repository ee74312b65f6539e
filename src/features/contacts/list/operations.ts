import type { Contact, ContactLists } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { createCache } from '../../../lib/cache.ts';
import type { Desk } from '../../../store/index.ts';
import { connectionOf } from '../../common/connection.ts';
import type { Actor, ContactCaches, Services, Timing } from '../../common/services.ts';
import { expectAllowed } from '../../settings/permission.ts';

const maxCached = 50;
const renewalMs = 2_000;
const maxAgeMs = 15 * 60_000;

export function createContactCaches({ contactsTtlMs }: Pick<Timing, 'contactsTtlMs'>): ContactCaches {
  return {
    lists: createCache<ContactLists>({
      ttlMs: contactsTtlMs,
      maxAgeMs,
      maxEntries: maxCached,
      weight: { maxTotal: bounds.cachedContactsBytes, of: approximateBytes },
    }),
    renewals: createCache<void>({ ttlMs: renewalMs, maxEntries: maxCached }),
  };
}

/** Contacts to show or to select from: read now if `fresh`, otherwise up to `timing.contactsTtlMs` old. */
export async function contactsOf(services: Services, desk: Desk, { fresh = false } = {}): Promise<ContactLists> {
  const { key, load } = await sourceOf(services, desk);
  const { lists } = services.contactCaches;
  return fresh ? lists.renew(key, load) : lists.get(key, load);
}

/** The current contacts. Throws if the person can't change them. */
export async function contactsToChange(services: Services, actor: Actor): Promise<ContactLists> {
  await expectAllowed(services, actor, 'contacts');
  return contactsOf(services, actor, { fresh: true });
}

/** A list that is at most 15 minutes old, for callers that can't wait. Reloads an outdated list in the background. */
export async function cachedContacts(services: Services, desk: Desk): Promise<ContactLists> {
  const { key, load } = await sourceOf(services, desk);
  return services.contactCaches.lists.getStale(key, load);
}

/** Reads the list again, at most every two seconds. For callers that didn't find a contact in the cached list. */
export async function refreshedContacts(services: Services, desk: Desk): Promise<ContactLists> {
  const { key, load } = await sourceOf(services, desk);
  const { lists, renewals } = services.contactCaches;
  await renewals.get(key, async () => void (await lists.renew(key, load)));
  return lists.get(key, load, maxAgeMs);
}

async function sourceOf(services: Services, desk: Desk) {
  const { exchange } = await connectionOf(services, desk);
  return { key: keyOf(desk.workspace, exchange.account), load: () => exchange.readContacts() };
}

/** Clears the lists of every workspace that shares the account. */
export function clearCachedContacts({ contactCaches }: Pick<Services, 'contactCaches'>, account: string): void {
  for (const cache of [contactCaches.lists, contactCaches.renewals])
    cache.deleteWhere((key) => key.endsWith(keyOf('', account)));
}

/** Workspace ids have no spaces and accounts start with their URL: only an account's own keys end with ` <account>`. */
function keyOf(workspace: string, account: string): string {
  return `${workspace} ${account}`;
}

/** Approximate memory of the lists, in bytes: each contact's JSON, its fields, and what is derived from them. */
function approximateBytes({ local, global }: ContactLists): number {
  const sum = (total: number, { json, groups }: Contact) => total + 4 * json.length + 500 + 100 * groups.length;
  return global.reduce(sum, local.reduce(sum, 0));
}
