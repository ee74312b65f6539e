import { createHash } from 'node:crypto';
import type { Contact, ContactLists } from '../../exchange/index.ts';

/**
 * Short ids for contacts and groups: what stands in a menu or a button is short and seen by others, an address need be
 * neither. An id means nothing by itself; it is looked for among the workspace's own contacts when it is used.
 */
export const contactId = (email: string) => `p-${hashOf(email.toLowerCase())}`;
export const groupId = (name: string) => `g-${hashOf(name)}`;

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Tells whether a contact is still as somebody saw it. */
export const versionOf = ({ json }: Contact) => hashOf(json);

/** A contact that can be written to. */
export type Addressed = Contact & { email: string };

export const isAddressed = (contact: Contact): contact is Addressed => (contact.email ?? '').trim() !== '';

/** Everybody who can be chosen, by lower-case address; the workspace's own entry goes before the service's. */
export function everybody({ local, global }: ContactLists): Map<string, Addressed> {
  const byAddress = new Map<string, Addressed>();
  for (const contact of [...global, ...local]) {
    if (isAddressed(contact)) byAddress.set(contact.email.toLowerCase(), contact);
  }
  return byAddress;
}
