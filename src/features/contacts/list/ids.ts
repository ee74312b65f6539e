import { createHash } from 'node:crypto';
import type { Contact, ContactLists } from '../../../exchange/index.ts';

/**
 * Short ids for contacts and groups in menus and buttons: an address can be too long for these, and others can see the
 * values. An id has no meaning by itself: it is looked up in the workspace's contacts when it is used.
 */
export const contactId = (email: string) => `p-${hashOf(email.toLowerCase())}`;
export const groupId = (name: string) => `g-${hashOf(name)}`;

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Shows whether a contact is still as the person saw it. */
export const versionOf = ({ json }: Contact) => hashOf(json);

/** A contact with an e-mail address. */
export type Addressed = Contact & { email: string };

export const isAddressed = (contact: Contact): contact is Addressed => (contact.email ?? '').trim() !== '';

/** Everyone who can be selected, by lower-case address. The workspace's own entry overrides the service's. */
export function everybody({ local, global }: ContactLists): Map<string, Addressed> {
  const byAddress = new Map<string, Addressed>();
  for (const contact of [...global, ...local]) {
    if (isAddressed(contact)) byAddress.set(contact.email.toLowerCase(), contact);
  }
  return byAddress;
}

/** Addresses of contacts, and names of groups. */
export interface Chosen {
  receivers: readonly string[];
  groups: readonly string[];
}
