import { createHash } from 'node:crypto';
import type { Contact, ContactLists } from '../../../exchange/index.ts';
import { memoize } from '../../../lib/cache.ts';

/**
 * Short ids for contacts and groups in menus and buttons, where an address can be too long, and where other people can
 * see the values. When an id is used, it is looked up in the workspace's contacts.
 */
export const contactId = (email: string) => `p-${hashOf(email.toLowerCase())}`;
export const groupId = (name: string) => `g-${hashOf(name)}`;

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Identifies a contact's exact content. Used to detect changes since the person saw the contact. */
export const versionOf = ({ json }: Contact) => hashOf(json);

export type ContactWithEmail = Contact & { email: string };

export const hasEmail = (contact: Contact): contact is ContactWithEmail => (contact.email ?? '').trim() !== '';

/** All contacts that can be selected, by lower-case address. A local contact overrides a global one. */
export const contactsByAddress = memoize(({ local, global }: ContactLists): ReadonlyMap<string, ContactWithEmail> => {
  const byAddress = new Map<string, ContactWithEmail>();
  for (const list of [global, local]) {
    for (const contact of list) if (hasEmail(contact)) byAddress.set(contact.email.toLowerCase(), contact);
  }
  return byAddress;
});

/** The same contacts, by id. */
export const contactsById = memoize(
  (lists: ContactLists): ReadonlyMap<string, ContactWithEmail> =>
    new Map([...contactsByAddress(lists).values()].map((contact) => [contactId(contact.email), contact])),
);

/** Every group with its members from both lists. */
export const groupsOf = memoize(({ local, global }: ContactLists): ReadonlyMap<string, readonly Contact[]> => {
  const groups = new Map<string, Contact[]>();
  for (const list of [local, global]) {
    for (const contact of list) {
      for (const name of contact.groups) {
        const members = groups.get(name);
        if (members === undefined) groups.set(name, [contact]);
        else members.push(contact);
      }
    }
  }
  return groups;
});

/** The names of the groups, by id. */
export const groupNamesById = memoize(
  (lists: ContactLists): ReadonlyMap<string, string> =>
    new Map([...groupsOf(lists).keys()].map((name) => [groupId(name), name])),
);

/** Addresses of contacts, and names of groups. */
export interface Chosen {
  recipients: readonly string[];
  groups: readonly string[];
}
