import { DroplineError } from '../../errors.ts';
import { type Contact, type ContactFields, type ContactLists, editContact, makeContact } from '../../exchange/index.ts';
import type { NewContact } from './fields.ts';
import { identityOf, sameContacts } from './same.ts';

/** What a person wants done to the workspace's own contacts. */
export type Change =
  | { kind: 'add'; contacts: NewContact[] }
  | { kind: 'edit'; email: string; fields: ContactFields }
  | { kind: 'remove'; emails: string[] }
  /** Adds and updates, never removes. */
  | { kind: 'import'; contacts: NewContact[] }
  | { kind: 'group'; group: string; join: string[]; leave: string[] };

export interface Diff {
  /** The whole local list afterwards. Whatever is not changed is the very object that was read. */
  after: Contact[];
  added: Contact[];
  /** Before and after, side by side. */
  updated: { from: Contact; to: Contact }[];
  removed: Contact[];
  /** Of an import: those that are the service's own, which nobody here can change. */
  skipped: string[];
}

/** What the list becomes; refuses what cannot be done before anything is written. */
export function diffOf({ local, global }: ContactLists, change: Change): Diff {
  const diff: Diff = { after: [...local], added: [], updated: [], removed: [], skipped: [] };
  const at = new Map(local.map((contact, index) => [identityOf(contact), index]));
  const isGlobal = new Set(global.map(identityOf));
  const keyOf = (email: string) => email.toLowerCase();

  function add(contact: NewContact): void {
    const made = makeContact(contact);
    at.set(keyOf(contact.email), diff.after.push(made) - 1);
    diff.added.push(made);
  }

  function update(index: number, fields: ContactFields): void {
    const from = diff.after[index] as Contact;
    const to = editContact(from, fields);
    if (sameContacts([from], [to])) return;
    diff.after[index] = to;
    diff.updated.push({ from, to });
  }

  function indexOf(email: string): number {
    const index = at.get(keyOf(email));
    if (index !== undefined) return index;
    if (isGlobal.has(keyOf(email))) {
      const sentence = `${email} is in the service's own list, which cannot be changed from here.`;
      throw new DroplineError('not-allowed', sentence, { names: [email] });
    }
    throw new DroplineError('not-found', `There is no contact ${email} (any more).`, { names: [email] });
  }

  function expectNew(email: string): void {
    if (!at.has(keyOf(email)) && !isGlobal.has(keyOf(email))) return;
    const where = isGlobal.has(keyOf(email)) ? " in the service's own list" : '';
    throw new DroplineError('exists', `There is a contact ${email}${where} already.`, {
      field: 'email',
      names: [email],
    });
  }

  switch (change.kind) {
    case 'add':
      for (const contact of change.contacts) {
        expectNew(contact.email);
        add(contact);
      }
      break;
    case 'edit': {
      const index = indexOf(change.email);
      const { email } = change.fields;
      if (email !== undefined && keyOf(email) !== keyOf(change.email)) expectNew(email);
      update(index, change.fields);
      break;
    }
    case 'remove': {
      const gone = new Set(change.emails.map(indexOf));
      diff.removed = [...gone].map((index) => diff.after[index] as Contact);
      diff.after = diff.after.filter((_, index) => !gone.has(index));
      break;
    }
    case 'import':
      for (const contact of change.contacts) {
        const index = at.get(keyOf(contact.email));
        if (index !== undefined) update(index, { ...contact, email: diff.after[index]?.email ?? contact.email });
        else if (isGlobal.has(keyOf(contact.email))) diff.skipped.push(contact.email);
        else add(contact);
      }
      break;
    case 'group':
      for (const email of change.join) {
        const index = indexOf(email);
        update(index, { groups: [...new Set([...(diff.after[index]?.groups ?? []), change.group])] });
      }
      for (const email of change.leave) {
        const index = indexOf(email);
        update(index, { groups: (diff.after[index]?.groups ?? []).filter((name) => name !== change.group) });
      }
      break;
  }
  return diff;
}

export function isEmpty({ added, updated, removed }: Diff): boolean {
  return added.length + updated.length + removed.length === 0;
}
