import type { Contact } from '../../exchange/index.ts';
import type { ImageOutcome } from './images.ts';
import { identityOf, lookOf, nameOf, sameContacts, tallyOf, without } from './same.ts';

export interface Verdict {
  outcome: ImageOutcome;
  /** Contacts that should be there by now, and that neither the edit nor anybody we know of took away: to be added. */
  missing: Contact[];
  /** Names of contacts that the edit was not about and that are no longer as they were. */
  altered: string[];
}

/** What became of an edit: the list before it, as it was meant to become, and as the service has it now. */
export function verdictOf(before: readonly Contact[], after: readonly Contact[], now: readonly Contact[]): Verdict {
  if (sameContacts(now, after)) return { outcome: 'done', missing: [], altered: [] };
  if (sameContacts(now, before)) return { outcome: 'not done', missing: [], altered: [] };
  const present = new Set(now.map(identityOf));
  const wanted = without(after, before);
  const unwanted = without(before, after);
  const kept = new Set(after.map(identityOf));
  // One contact for another is an edit that changed the address: as long as the old one is there, nothing is missing.
  const [renamed] = unwanted.filter((contact) => !kept.has(identityOf(contact)));
  const isOneForOne = wanted.length === 1 && unwanted.length === 1 && renamed !== undefined;
  const stillOld = isOneForOne && present.has(identityOf(renamed));
  const missing = after.filter(
    (contact) => !present.has(identityOf(contact)) && !(stillOld && wanted.includes(contact)),
  );
  // Contacts that look the same are counted: a service may have made one of two that differ in the case of the address.
  const looks = tallyOf(now.map(lookOf));
  const unseen = new Set(after.filter((contact) => !looks.take(lookOf(contact))));
  const isDone =
    wanted.every((contact) => !unseen.has(contact)) &&
    unwanted.every((contact) => kept.has(identityOf(contact)) || !present.has(identityOf(contact)));
  const altered = without([...unseen], wanted).filter((contact) => present.has(identityOf(contact)));
  return { outcome: isDone ? 'done' : 'not done', missing, altered: altered.map(nameOf) };
}
