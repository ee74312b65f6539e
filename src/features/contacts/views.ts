import type { ModalView, SectionBlock } from '@slack/types';
import type { Contact, ContactLists } from '../../exchange/index.ts';
import { actions, type Blocks, button, line, menu, note, section, textField } from '../../slack/blocks.ts';
import { cutTo, fitMiddle } from '../../slack/limits.ts';
import { pageOf, pager } from '../../slack/pages.ts';
import { modal } from '../../slack/views.ts';
import { andList, count, oneLine, shownNumber } from '../../slack/words.ts';
import { hasEmail, versionOf } from './list/ids.ts';
import { type ListPosition, maxQueryChars, writePosition } from './list/position.ts';
import { searchContacts } from './list/search.ts';

/** What a person can do with the contacts. */
export interface Rights {
  mayChange: boolean;
  /** A setting: this service can't change or remove contacts. */
  onlyAdds: boolean;
}

export function listView({ local, global }: ContactLists, requested: ListPosition, rights: Rights): ModalView {
  const { query } = requested;
  const isGlobal = new Set(global);
  const found = searchContacts([...local, ...global], query);
  const { shown, page, pages } = pageOf(found, requested.page);
  const position = { query, page };
  return modal(
    'Contacts',
    [
      actions(...buttons(rights)),
      textField('query', 'Search', {
        value: query,
        placeholder: 'A name, an address, a number or a group',
        maxLength: maxQueryChars,
        optional: true,
      }),
      section(countText({ local, global }, found.length, query)),
      ...shown.map((contact) => contactBlock(contact, isGlobal.has(contact), rights)),
      ...pager({ page, pages }, 'contacts.page'),
      ...(query === '' ? [] : [actions(button('Show all contacts', 'contacts.all'))]),
      ...hints(rights),
    ],
    { id: 'contacts.list', submit: 'Search', metadata: writePosition({ ...position, fromList: true }) },
  );
}

function buttons({ mayChange }: Rights) {
  const groups = button('Groups', 'contacts.groups');
  if (!mayChange) return [groups];
  return [
    button('Add a contact', 'contacts.add', { style: 'primary' }),
    button('Import', 'contacts.import', { accessibilityLabel: 'Import contacts from a table' }),
    button('Export', 'contacts.export', { accessibilityLabel: 'Export the contacts as a table' }),
    groups,
  ];
}

function countText({ local, global }: ContactLists, found: number, query: string): string {
  const all = local.length + global.length;
  if (all === 0) return 'There are no contacts yet. Files can be sent to contacts only: add the first one.';
  if (query !== '') {
    const matching = found === 1 ? 'matches' : 'match';
    return `${found.toLocaleString('en')} of ${count(all, 'contact')} ${matching} “${oneLine(query)}”.`;
  }
  const own = `${count(local.length, 'contact')} of your own`;
  return global.length === 0 ? `${own}.` : `${own}, ${count(global.length, 'contact')} of the service.`;
}

function hints({ mayChange, onlyAdds }: Rights): Blocks {
  if (!mayChange) return [note('You may look at contacts, not change them. An admin can allow it in the settings.')];
  return onlyAdds ? [note('This service only adds: change and remove contacts on the service itself.')] : [];
}

function contactBlock(contact: Contact, isGlobal: boolean, { mayChange, onlyAdds }: Rights): SectionBlock {
  const text = isGlobal ? `${contactText(contact)}\nOf the service: cannot be changed here` : contactText(contact);
  if (isGlobal || !mayChange || onlyAdds || !hasEmail(contact)) return section(text);
  const version = versionOf(contact);
  return section(
    text,
    menu('contacts.menu', [
      ['Edit', `edit ${version}`],
      ['Groups', `groups ${version}`],
      ['Remove', `remove ${version}`],
    ]),
  );
}

/** Two lines: the address and name, then the other fields. */
export function contactText({ email = '', nick = '', number = '', language = '', groups }: Contact): string {
  const name = cutTo(oneLine(nick), 100);
  const address = fitMiddle(oneLine(email), 254) || 'No e-mail address';
  const groupNames = groups.map((group) => cutTo(oneLine(group), 40)).filter((group) => group !== '');
  const rest = [
    shownNumber(number),
    cutTo(oneLine(language), 35),
    groupNames.length === 0 ? '' : `in ${andList(groupNames)}`,
  ].filter((part) => part !== '');
  return `${address}${name === '' ? '' : ` (${name})`}\n${rest.join(' · ')}`;
}

export function removeView(contact: Contact, position: ListPosition): ModalView {
  return modal(
    'Remove a contact',
    [
      section(contactText(contact)),
      line('This contact is removed from the service for everybody. Files sent before stay where they are.'),
    ],
    { id: 'contacts.remove', submit: 'Remove this contact', close: 'Keep it', metadata: writePosition(position) },
  );
}
