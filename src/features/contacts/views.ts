import type { ModalView, SectionBlock } from '@slack/types';
import type { Contact, ContactLists } from '../../exchange/index.ts';
import { actions, type Blocks, button, line, menu, note, type Piece, section } from '../../slack/blocks.ts';
import { fitMiddle, truncateText } from '../../slack/limits.ts';
import { pageOf, pager } from '../../slack/pages.ts';
import { modal } from '../../slack/views.ts';
import { andList, count, oneLine, shownNumber } from '../../slack/words.ts';
import { searchBlocks } from '../common/search/form.ts';
import { fieldNames } from './edit/fields.ts';
import type { FieldChange } from './list/compare.ts';
import { contactId, hasEmail, versionOf } from './list/ids.ts';
import { type ListPosition, maxQueryChars, writePosition } from './list/position.ts';
import { searchContacts } from './list/search.ts';

/** What a person can do with the contacts. */
export interface Rights {
  canChange: boolean;
  /** Whether the setting “Add-only service” is on: contacts can't be changed or removed. */
  onlyAdds: boolean;
}

export function listView(lists: ContactLists, requested: ListPosition, rights: Rights): ModalView {
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

function buttons({ canChange }: Rights) {
  const groups = button('Groups', 'contacts.groups');
  if (!canChange) return [groups];
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

function hints({ canChange, onlyAdds }: Rights): Blocks {
  if (!canChange) return [note('You can view contacts but not change them. An admin can allow it in the settings.')];
  return onlyAdds ? [note('Add-only service: change and remove contacts on the service itself.')] : [];
}

function contactBlock(contact: Contact, isGlobal: boolean, { canChange, onlyAdds }: Rights): SectionBlock {
  const text = isGlobal ? `${contactText(contact)}\nManaged by the service` : contactText(contact);
  if (!hasEmail(contact)) return section(text);
  const id = contactId(contact.email);
  if (isGlobal || !canChange || onlyAdds) {
    return section(text, button('Open', 'contacts.card', { value: id, accessibilityLabel: `Open ${contact.email}` }));
  }
  const version = versionOf(contact);
  return section(
    text,
    menu('contacts.menu', [
      ['Open', `open ${id}`],
      ['Edit', `edit ${version}`],
      ['Groups', `groups ${version}`],
      ['Remove', `remove ${version}`],
    ]),
  );
}

/** Two lines: the address and name, then the other fields. */
export function contactText({ email = '', nick = '', number = '', language = '', groups }: Contact): string {
  const name = truncateText(oneLine(nick), 100);
  const address = fitMiddle(oneLine(email), 254) || 'No email address';
  const groupNames = groups.map((group) => truncateText(oneLine(group), 40)).filter((group) => group !== '');
  const details = [
    shownNumber(number),
    truncateText(oneLine(language), 35),
    groupNames.length === 0 ? '' : `in ${andList(groupNames)}`,
  ].filter((part) => part !== '');
  return `${address}${name === '' ? '' : ` (${name})`}\n${details.join(' · ')}`;
}

/** A changed field, as “mobile number 46701 → 46702”. */
export function changePieces({ field, from, to }: FieldChange): Piece[] {
  const valuePiece = (value: string): Piece => {
    const text = truncateText(oneLine(value), 100);
    return text === '' ? 'not set' : { code: text };
  };
  return [`${fieldNames[field]} `, valuePiece(from), ' → ', valuePiece(to)];
}

export function removeView(contact: Contact, position: ListPosition): ModalView {
  return modal(
    'Remove contact',
    [
      section(contactText(contact)),
      line("This removes the contact from the service for everyone. Files already sent aren't affected."),
    ],
    { id: 'contacts.remove', submit: 'Remove', close: 'Cancel', metadata: writePosition(position) },
  );
}
