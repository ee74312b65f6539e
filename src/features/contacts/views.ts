import type { ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import type { Contact, ContactLists } from '../../exchange/index.ts';
import { actions, type Blocks, button, menu, note, section } from '../../slack/blocks.ts';
import { limits } from '../../slack/limits.ts';
import { codec } from '../../slack/metadata.ts';
import { pageOf, pager } from '../../slack/pages.ts';
import { modal } from '../../slack/views.ts';
import { count, oneLine } from '../../slack/words.ts';
import { searchBlocks } from '../common/search/form.ts';
import { type ContactWithEmail, contactId, hasEmail, versionOf } from './list/ids.ts';
import type { ContactRights } from './list/permission.ts';
import { type ListPosition, maxQueryChars, writePosition } from './list/position.ts';
import { searchContacts } from './list/search.ts';
import { contactText } from './list/views.ts';

/** A contact whose card is open, and the position in the list to go back to. */
export interface OpenContact {
  contact: ContactWithEmail;
  /** Whether the contact is in the service's own list, which can't be changed. */
  isGlobal: boolean;
  rights: ContactRights;
  position: ListPosition;
}

/** An entry of a contact's menu, with the contact's id or the version that the person saw. */
export const menuValue = codec(
  'contact menu',
  z.discriminatedUnion('entry', [
    z.object({ entry: z.literal('open'), id: z.string() }),
    z.object({ entry: z.enum(['edit', 'groups', 'remove']), version: z.string() }),
  ]),
  limits.optionText,
);

export function listView(lists: ContactLists, requested: ListPosition, rights: ContactRights): ModalView {
  const { query } = requested;
  const managed = new Set(lists.global);
  const matches = searchContacts(lists, query);
  const { pageItems, page, pages } = pageOf(matches, requested.page);
  const position = { query, page };
  return modal(
    'Contacts',
    [
      actions(...buttons(rights)),
      ...searchBlocks(
        { search: query },
        { searchField: 'query', placeholder: 'Name, email, number or group', maxLength: maxQueryChars },
      ),
      section(countText(lists, matches.length, query)),
      ...pageItems.map((contact) => contactBlock(contact, managed.has(contact), rights)),
      ...pager({ page, pages }, 'contacts.page'),
      ...(query === '' ? [] : [actions(button('Show all contacts', 'contacts.all'))]),
      ...hints(rights),
    ],
    { id: 'contacts.list', submit: 'Search', metadata: writePosition({ ...position, fromList: true }) },
  );
}

function buttons({ canAdd }: ContactRights) {
  const groups = button('Groups', 'contacts.groups');
  if (!canAdd) return [groups];
  return [
    button('Add contact', 'contacts.add', { style: 'primary' }),
    button('Import', 'contacts.import', { accessibilityLabel: 'Import contacts from CSV' }),
    button('Export', 'contacts.export', { accessibilityLabel: 'Export contacts as CSV' }),
    groups,
  ];
}

function countText({ local, global }: ContactLists, matches: number, query: string): string {
  const total = local.length + global.length;
  if (total === 0) return 'No contacts yet. Add one to send files.';
  if (query !== '') {
    if (matches === 0) return `No results for “${oneLine(query)}”.`;
    const matching = matches === 1 ? 'matches' : 'match';
    return `${matches.toLocaleString('en')} of ${count(total, 'contact')} ${matching} “${oneLine(query)}”.`;
  }
  const managed = `${global.length.toLocaleString('en')} of them managed by the service`;
  return global.length === 0 ? `${count(total, 'contact')}.` : `${count(total, 'contact')}, ${managed}.`;
}

function hints({ canAdd, canEdit }: ContactRights): Blocks {
  if (!canAdd) return [note('You can view contacts but not change them. An admin can allow it in the settings.')];
  return canEdit ? [] : [note('Add-only service: change and remove contacts on the service itself.')];
}

function contactBlock(contact: Contact, isGlobal: boolean, { canEdit }: ContactRights): SectionBlock {
  const text = isGlobal ? `${contactText(contact)}\nManaged by the service` : contactText(contact);
  if (!hasEmail(contact)) return section(text);
  const id = contactId(contact.email);
  if (isGlobal || !canEdit) {
    return section(text, button('Open', 'contacts.card', { value: id, accessibilityLabel: `Open ${contact.email}` }));
  }
  const version = versionOf(contact);
  return section(
    text,
    menu('contacts.menu', [
      ['Open', menuValue.write({ entry: 'open', id })],
      ['Edit', menuValue.write({ entry: 'edit', version })],
      ['Groups', menuValue.write({ entry: 'groups', version })],
      ['Remove', menuValue.write({ entry: 'remove', version })],
    ]),
  );
}
