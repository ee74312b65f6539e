import {
  type Contact,
  type ContactFields,
  type ContactLists,
  editContact,
  makeContact,
} from '../../../exchange/index.ts';
import { contactExists, contactManaged, contactNotFound } from '../errors.ts';
import { changedFieldsIn } from '../import/table.ts';
import { identityOf, sameContacts } from '../list/compare.ts';
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
  /** Imports only: addresses in the service's own list, whose contacts can't be changed from here. */
  skipped: string[];
}

/** Computes the list after a change. Throws if the change isn't possible. Writes nothing. */
export function diffOf({ local, global }: ContactLists, change: Change): Diff {
  const after = [...local];
  const removedIndexes = new Set<number>();
  const skipped: string[] = [];
  const indexByEmail = indexContacts(local);
  const globals = new Set(global.map(identityOf));
  const isGlobal = (email: string) => globals.has(email.toLowerCase());
  // Two addresses can differ only in case, so try an exact match first.
  const findIndex = (email: string) => indexByEmail.get(email) ?? indexByEmail.get(email.toLowerCase());

  function add(contact: NewContact): void {
    indexByEmail.set(contact.email.toLowerCase(), after.push(makeContact(contact)) - 1);
  }

  function update(index: number, fields: ContactFields): void {
    const from = local[index];
    const to = editContact(after[index] as Contact, fields);
    // If the result equals the original, keep the original object: the contact counts as unchanged.
    after[index] = from !== undefined && sameContacts([from], [to]) ? from : to;
  }

  function expectIndex(email: string): number {
    const index = findIndex(email);
    if (index !== undefined) return index;
    throw isGlobal(email) ? contactManaged(email) : contactNotFound(email);
  }

  function expectNew(email: string): void {
    if (findIndex(email) === undefined && !isGlobal(email)) return;
    throw contactExists(email, isGlobal(email));
  }

  switch (change.kind) {
    case 'add':
      for (const contact of change.contacts) {
        expectNew(contact.email);
        add(contact);
      }
      break;
    case 'edit': {
      const index = expectIndex(change.email);
      const { email } = change.fields;
      if (email !== undefined && findIndex(email) !== index) expectNew(email);
      update(index, change.fields);
      break;
    }
    case 'remove':
      for (const email of change.emails) removedIndexes.add(expectIndex(email));
      break;
    case 'import':
      for (const contact of change.contacts) {
        const index = findIndex(contact.email);
        if (index !== undefined) update(index, changedFieldsIn(after[index] as Contact, contact));
        else if (isGlobal(contact.email)) skipped.push(contact.email);
        else add(contact);
      }
      break;
    case 'group':
      for (const email of change.join) {
        const index = expectIndex(email);
        update(index, { groups: [...new Set([...(after[index]?.groups ?? []), change.group])] });
      }
      for (const email of change.leave) {
        const index = expectIndex(email);
        update(index, { groups: (after[index]?.groups ?? []).filter((name) => name !== change.group) });
      }
      break;
  }
  return {
    after: after.filter((_, index) => !removedIndexes.has(index)),
    added: after.slice(local.length),
    updated: local.map((from, index) => ({ from, to: after[index] as Contact })).filter(({ from, to }) => from !== to),
    removed: local.filter((_, index) => removedIndexes.has(index)),
    skipped,
  };
}

/** The index of each contact, by its exact and its lower-case address. For duplicates, the index of the first one. */
export function indexContacts(contacts: readonly Contact[]): Map<string, number> {
  const indexes = new Map<string, number>();
  for (const keyOf of [(email: string) => email, (email: string) => email.toLowerCase()]) {
    for (const [index, { email }] of contacts.entries()) {
      if (email !== undefined && !indexes.has(keyOf(email))) indexes.set(keyOf(email), index);
    }
  }
  return indexes;
}

export function isEmpty({ added, updated, removed }: Diff): boolean {
  return added.length + updated.length + removed.length === 0;
}
