import type { Contact } from '../../../exchange/index.ts';
import { createMultiset, identityOf, nameOf, sameContacts, visibleFieldsOf, without } from '../list/compare.ts';
import type { ImageOutcome } from './repository.ts';

export interface Verdict {
  outcome: ImageOutcome;
  /** Contacts to restore: they should be on the service and aren't. */
  missing: Contact[];
  /** Names of contacts that have changed, although the edit didn't change them. */
  altered: string[];
}

/** Determines an edit's outcome from the lists `before` and `after` it, and the `current` list on the service. */
export function verdictOf(before: readonly Contact[], after: readonly Contact[], current: readonly Contact[]): Verdict {
  if (sameContacts(current, after)) return { outcome: 'done', missing: [], altered: [] };
  if (sameContacts(current, before)) return { outcome: 'not done', missing: [], altered: [] };
  const present = new Set(current.map(identityOf));
  const wanted = without(after, before);
  const unwanted = without(before, after);
  const afterIdentities = new Set(after.map(identityOf));
  // Replacing one contact by another changes its address: while the old address is present, nothing is missing.
  const [renamed] = unwanted.filter((contact) => !afterIdentities.has(identityOf(contact)));
  const isOneForOne = wanted.length === 1 && unwanted.length === 1 && renamed !== undefined;
  const isOldAddressPresent = isOneForOne && present.has(identityOf(renamed));
  const missing = after.filter(
    (contact) => !present.has(identityOf(contact)) && !(isOldAddressPresent && wanted.includes(contact)),
  );
  // Count contacts that look the same: a service can merge two whose addresses differ only in case.
  const visible = createMultiset(current.map(visibleFieldsOf));
  const notFound = new Set(after.filter((contact) => !visible.take(visibleFieldsOf(contact))));
  const isDone =
    wanted.every((contact) => !notFound.has(contact)) &&
    unwanted.every((contact) => afterIdentities.has(identityOf(contact)) || !present.has(identityOf(contact)));
  const altered = without([...notFound], wanted).filter((contact) => present.has(identityOf(contact)));
  return { outcome: isDone ? 'done' : 'not done', missing, altered: altered.map(nameOf) };
}
