import type { Contact } from '../../../exchange/index.ts';
import { identityOf, lookOf, nameOf, sameContacts, tallyOf, without } from '../list/same.ts';
import type { ImageOutcome } from './images.ts';

export interface Verdict {
  outcome: ImageOutcome;
  /** Contacts to add: they should be on the service, and neither this edit nor a known change removed them. */
  missing: Contact[];
  /** Names of contacts that have changed although the edit didn't touch them. */
  altered: string[];
}

/** The outcome of an edit, from the list before it, the list as it should become, and the list on the service now. */
export function verdictOf(before: readonly Contact[], after: readonly Contact[], now: readonly Contact[]): Verdict {
  if (sameContacts(now, after)) return { outcome: 'done', missing: [], altered: [] };
  if (sameContacts(now, before)) return { outcome: 'not done', missing: [], altered: [] };
  const present = new Set(now.map(identityOf));
  const wanted = without(after, before);
  const unwanted = without(before, after);
  const kept = new Set(after.map(identityOf));
  // One contact replaced by another is a changed address: nothing is missing while the old one is there.
  const [renamed] = unwanted.filter((contact) => !kept.has(identityOf(contact)));
  const isOneForOne = wanted.length === 1 && unwanted.length === 1 && renamed !== undefined;
  const stillOld = isOneForOne && present.has(identityOf(renamed));
  const missing = after.filter(
    (contact) => !present.has(identityOf(contact)) && !(stillOld && wanted.includes(contact)),
  );
  // Contacts that look the same are counted: a service can merge two that differ only in the case of the address.
  const looks = tallyOf(now.map(lookOf));
  const unseen = new Set(after.filter((contact) => !looks.take(lookOf(contact))));
  const isDone =
    wanted.every((contact) => !unseen.has(contact)) &&
    unwanted.every((contact) => kept.has(identityOf(contact)) || !present.has(identityOf(contact)));
  const altered = without([...unseen], wanted).filter((contact) => present.has(identityOf(contact)));
  return { outcome: isDone ? 'done' : 'not done', missing, altered: altered.map(nameOf) };
}
