import { z } from 'zod';
import {
  type Contact,
  type ContactFields,
  type ContactLists,
  editContact,
  makeContact,
} from '../../../exchange/index.ts';
import { firstOf } from '../../../store/index.ts';
import { changedFieldsIn } from '../list/cells.ts';
import { identityOf, maxAudited, sameContacts } from '../list/compare.ts';
import { type NewContact, newContact, parsedFields } from '../list/fields.ts';
import { contactExists, contactManaged, contactNotFound } from './errors.ts';

/** A change that a person wants to make in the workspace's own contacts. An import adds and updates, never removes. */
export const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add'), contacts: z.array(newContact) }),
  z.object({ kind: z.literal('edit'), email: z.string(), fields: parsedFields }),
  z.object({ kind: z.literal('remove'), emails: z.array(z.string()) }),
  z.object({ kind: z.literal('import'), contacts: z.array(newContact) }),
  z.object({ kind: z.literal('group'), group: z.string(), join: z.array(z.string()), leave: z.array(z.string()) }),
]);
export type Change = z.infer<typeof changeSchema>;

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

/** The first addresses of a requested change, for the audit entry. */
export const auditedEmails = (change: Change) => firstOf(emailsOf(change), maxAudited);

function emailsOf(change: Change): string[] {
  switch (change.kind) {
    case 'add':
    case 'import':
      return change.contacts.map(({ email }) => email);
    case 'edit':
      return [change.email];
    case 'remove':
      return change.emails;
    case 'group':
      return [...change.join, ...change.leave];
  }
}
