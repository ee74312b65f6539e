import type { Contact } from '../../exchange/index.ts';
import type { ImageOutcome } from './images.ts';
import { identityOf, sameContacts, without } from './same.ts';

export interface Verdict {
  outcome: ImageOutcome;
  /** Contacts that neither the edit nor anybody we know of took away: to be added back. */
  missing: Contact[];
  /** Addresses of contacts that the edit was not about and that are no longer as they were. */
  altered: string[];
}

/** What became of an edit: the list before it, as it was meant to become, and as the service has it now. */
export function judge(before: readonly Contact[], after: readonly Contact[], now: readonly Contact[]): Verdict {
  if (sameContacts(now, after)) return { outcome: 'done', missing: [], altered: [] };
  if (sameContacts(now, before)) return { outcome: 'not done', missing: [], altered: [] };
  const present = new Map(now.map((contact) => [identityOf(contact), contact]));
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
  const changed = new Set(wanted.map(identityOf));
  const altered = after.filter((contact) => {
    const there = present.get(identityOf(contact));
    return there !== undefined && !changed.has(identityOf(contact)) && !looksSame(there, contact);
  });
  const isDone =
    wanted.every((contact) => looksSame(present.get(identityOf(contact)), contact)) &&
    unwanted.every((contact) => kept.has(identityOf(contact)) || !present.has(identityOf(contact)));
  return { outcome: isDone ? 'done' : 'not done', missing, altered: altered.map(({ email = '' }) => email) };
}

/** By what a person sees of it: a service may write `number` as a number where we wrote it as text. */
function looksSame(one: Contact | undefined, other: Contact): boolean {
  if (one === undefined) return false;
  const view = ({ email, number, language, groups, nick }: Contact) =>
    JSON.stringify([email, number ?? '', language ?? '', groups, nick ?? '']);
  return view(one) === view(other);
}
