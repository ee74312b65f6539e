import { createHash } from 'node:crypto';
import type { Contact, ContactLists } from '../../../exchange/index.ts';

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
export function contactsByAddress({ local, global }: ContactLists): Map<string, ContactWithEmail> {
  const byAddress = new Map<string, ContactWithEmail>();
  for (const contact of [...global, ...local]) {
    if (hasEmail(contact)) byAddress.set(contact.email.toLowerCase(), contact);
  }
  return byAddress;
}

/** Addresses of contacts, and names of groups. */
export interface Chosen {
  receivers: readonly string[];
  groups: readonly string[];
}
