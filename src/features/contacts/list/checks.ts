import type { ContactLists } from '../../../exchange/index.ts';
import { contactChanged, contactGone } from './errors.ts';
import { type ContactWithEmail, contactsById, hasEmail, versionOf } from './ids.ts';

/** The local contact with this version. Throws if the contact has changed since the person saw it. */
export function expectUnchanged({ local }: ContactLists, version: string | undefined): ContactWithEmail {
  const unchanged = local.filter(hasEmail).find((contact) => versionOf(contact) === version);
  if (unchanged !== undefined) return unchanged;
  throw contactChanged();
}

/** The contact with this id. Throws if it was removed or has another address now. */
export function expectContact(lists: ContactLists, id: string): ContactWithEmail {
  const contact = contactsById(lists).get(id);
  if (contact !== undefined) return contact;
  throw contactGone();
}
