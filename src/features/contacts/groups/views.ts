import type { ModalView } from '@slack/types';
import type { Contact, ContactLists } from '../../../exchange/index.ts';
import {
  actions,
  type Blocks,
  button,
  choicesField,
  confirmation,
  divider,
  note,
  section,
  textField,
} from '../../../slack/blocks.ts';
import { truncateText } from '../../../slack/limits.ts';
import { pageOf, pager } from '../../../slack/pages.ts';
import { modal } from '../../../slack/views.ts';
import { count, oneLine } from '../../../slack/words.ts';
import { groupId, groupsOf, hasEmail, versionOf } from '../list/ids.ts';
import type { ContactRights } from '../list/permission.ts';
import { type ListPosition, writePosition } from '../list/position.ts';
import { searchGroups, sortContacts } from '../list/search.ts';
import { contactText } from '../list/views.ts';

export function groupsView(lists: ContactLists, position: ListPosition, { canEdit }: ContactRights): ModalView {
  const groups = groupsOf(lists);
  const { pageItems, page, pages } = pageOf(searchGroups(lists, ''), position.groups ?? 0);
  return modal(
    'Groups',
    [
      ...(canEdit ? [actions(button('New group', 'contacts.new-group', { style: 'primary' }))] : []),
      ...(pageItems.length === 0 ? [section('No groups yet.')] : []),
      ...pageItems.map((name) =>
        section(
          `${nameOf(name)}\n${count(groups.get(name)?.length ?? 0, 'member')}`,
          button('Open', 'contacts.group', {
            value: groupId(name),
            accessibilityLabel: `Open group ${nameOf(name)}`,
          }),
        ),
      ),
      ...pager({ page, pages }, 'contacts.groups-page'),
      note('You can send files to a whole group. Empty groups are deleted.'),
    ],
    { close: 'Back', metadata: writePosition({ ...position, groups: page }) },
  );
}

const nameOf = (group: string) => truncateText(oneLine(group), 100);

export interface OpenGroup {
  name: string;
  members: readonly Contact[];
  /** The contacts in the local list. Only members among them can be removed. */
  own: ReadonlySet<Contact>;
}

export function groupView(
  { name, members, own }: OpenGroup,
  position: ListPosition,
  { canEdit }: ContactRights,
): ModalView {
  const { pageItems, page, pages } = pageOf(sortContacts(members), position.members ?? 0);
  const blocks: Blocks = [
    section(`${nameOf(name)}\n${count(members.length, 'member')}`),
    ...(canEdit ? [membersField(true)] : []),
    divider(),
    ...pageItems.map((contact) => {
      if (!canEdit || !own.has(contact) || !hasEmail(contact)) return section(contactText(contact));
      return section(
        contactText(contact),
        removeMemberButton(contact.email, versionOf(contact), name, members.length === 1),
      );
    }),
    ...pager({ page, pages }, 'contacts.members-page'),
  ];
  const metadata = writePosition({ ...position, group: groupId(name), members: page });
  return modal('Group', blocks, {
    id: 'contacts.join',
    close: 'Back',
    metadata,
    ...(canEdit ? { submit: 'Add members' } : {}),
  });
}

function removeMemberButton(email: string, value: string, group: string, isLast: boolean) {
  const confirmRemoval = confirmation(
    isLast ? 'Remove the last member?' : 'Remove from the group?',
    `${truncateText(oneLine(email), 120)} stays a contact, but won't receive files sent to ${truncateText(nameOf(group), 60)}.${isLast ? ' The group is deleted.' : ''}`,
    'Remove',
    'Cancel',
  );
  return button('Remove', 'contacts.leave', {
    value,
    style: 'danger',
    accessibilityLabel: `Remove ${oneLine(email)}`,
    confirm: confirmRemoval,
  });
}

const membersField = (optional: boolean) =>
  choicesField('members', 'Add contacts', [], { placeholder: 'Type a name or email', optional });

export function newGroupView(position: ListPosition): ModalView {
  return modal(
    'New group',
    [textField('group', 'Group name', { placeholder: 'press', maxLength: 100 }), membersField(false)],
    { id: 'contacts.new-group', submit: 'Create', close: 'Cancel', metadata: writePosition(position) },
  );
}
