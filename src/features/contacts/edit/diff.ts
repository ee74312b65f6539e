import { DroplineError } from '../../../errors.ts';
import {
  type Contact,
  type ContactFields,
  type ContactLists,
  editContact,
  makeContact,
} from '../../../exchange/index.ts';
import { newsIn } from '../import/table.ts';
import { identityOf, sameContacts } from '../list/same.ts';
import type { NewContact } from './fields.ts';

/** What a person wants to change in the workspace's own contacts. */
export type Change =
  | { kind: 'add'; contacts: NewContact[] }
  | { kind: 'edit'; email: string; fields: ContactFields }
  | { kind: 'remove'; emails: string[] }
  /** Adds and updates, never removes. */
  | { kind: 'import'; contacts: NewContact[] }
  | { kind: 'group'; group: string; join: string[]; leave: string[] };

export interface Diff {
  /** The whole local list afterwards. Unchanged contacts are the same objects that were read. */
  after: Contact[];
  added: Contact[];
  updated: { from: Contact; to: Contact }[];
  removed: Contact[];
  /** Imports only: contacts in the service's own list, which can't be changed from here. */
  skipped: string[];
}

/** What the list becomes. Throws if the change isn't possible, before anything is written. */
export function diffOf({ local, global }: ContactLists, change: Change): Diff {
  const after = [...local];
  const gone = new Set<number>();
  const skipped: string[] = [];
  const at = positionsOf(local);
  const globals = new Set(global.map(identityOf));
  const isGlobal = (email: string) => globals.has(email.toLowerCase());
  // Two addresses can differ only in case: an exact match goes first.
  const positionOf = (email: string) => at.get(email) ?? at.get(email.toLowerCase());

  function add(contact: NewContact): void {
    at.set(contact.email.toLowerCase(), after.push(makeContact(contact)) - 1);
  }

  function update(index: number, fields: ContactFields): void {
    const from = local[index];
    const to = editContact(after[index] as Contact, fields);
    // A change that was changed back is no change.
    after[index] = from !== undefined && sameContacts([from], [to]) ? from : to;
  }

  function indexOf(email: string): number {
    const index = positionOf(email);
    if (index !== undefined) return index;
    if (isGlobal(email)) {
      const message = `${email} is in the service's own list, which cannot be changed from here.`;
      throw new DroplineError('not-allowed', message, { names: [email] });
    }
    throw new DroplineError('not-found', `There is no contact ${email} (any more).`, { names: [email] });
  }

  function expectNew(email: string): void {
    if (positionOf(email) === undefined && !isGlobal(email)) return;
    const where = isGlobal(email) ? " in the service's own list" : '';
    throw new DroplineError('exists', `${email} is already a contact${where}.`, {
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
      if (email !== undefined && positionOf(email) !== index) expectNew(email);
      update(index, change.fields);
      break;
    }
    case 'remove':
      for (const email of change.emails) gone.add(indexOf(email));
      break;
    case 'import':
      for (const contact of change.contacts) {
        const index = positionOf(contact.email);
        if (index !== undefined) update(index, newsIn(after[index] as Contact, contact));
        else if (isGlobal(contact.email)) skipped.push(contact.email);
        else add(contact);
      }
      break;
    case 'group':
      for (const email of change.join) {
        const index = indexOf(email);
        update(index, { groups: [...new Set([...(after[index]?.groups ?? []), change.group])] });
      }
      for (const email of change.leave) {
        const index = indexOf(email);
        update(index, { groups: (after[index]?.groups ?? []).filter((name) => name !== change.group) });
      }
      break;
  }
  return {
    after: after.filter((_, index) => !gone.has(index)),
    added: after.slice(local.length),
    updated: local.map((from, index) => ({ from, to: after[index] as Contact })).filter(({ from, to }) => from !== to),
    removed: local.filter((_, index) => gone.has(index)),
    skipped,
  };
}

/** The index of each contact, by its exact and its lower-case address. The first of several counts. */
function positionsOf(contacts: readonly Contact[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (const spell of [(email: string) => email, (email: string) => email.toLowerCase()]) {
    for (const [index, { email }] of contacts.entries()) {
      if (email !== undefined && !positions.has(spell(email))) positions.set(spell(email), index);
    }
  }
  return positions;
}

export function isEmpty({ added, updated, removed }: Diff): boolean {
  return added.length + updated.length + removed.length === 0;
}
