import type { ContactLists } from '../../exchange/index.ts';
import type { Store } from '../../store/index.ts';
import { connectionOf } from '../connection.ts';
import type { Services } from '../services.ts';

interface Kept {
  at: number;
  lists: Promise<ContactLists>;
}

/** So many accounts at a time: a list may have thousands of contacts. */
const mostKept = 50;

/** What this process has read lately, by account. Edits never use it: they read for themselves, under the lock. */
const keptBy = new WeakMap<Store, Map<string, Kept>>();

/** The contacts to show or to choose from; a few seconds old at most, unless `fresh` is asked for. */
export async function contactsOf(
  services: Services,
  workspace: string,
  { fresh = false, signal }: { fresh?: boolean; signal?: AbortSignal } = {},
): Promise<ContactLists> {
  const { exchange } = await connectionOf(services, workspace);
  if (fresh) return exchange.readContacts({ signal });
  const kept = keptIn(services.store);
  const found = kept.get(exchange.account);
  if (found !== undefined && Date.now() - found.at < services.timing.contactsLifeMs) return found.lists;
  const entry = { at: Date.now(), lists: exchange.readContacts() };
  kept.delete(exchange.account);
  kept.set(exchange.account, entry);
  entry.lists.catch(() => kept.get(exchange.account) === entry && kept.delete(exchange.account));
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
  return entry.lists;
}

export function forgetContacts(services: Services, account: string): void {
  keptIn(services.store).delete(account);
}

function keptIn(store: Store): Map<string, Kept> {
  const kept = keptBy.get(store) ?? new Map();
  keptBy.set(store, kept);
  return kept;
}
