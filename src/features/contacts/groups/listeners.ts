import type { Contact, ContactLists } from '../../../exchange/index.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, pushWhenReady } from '../../../slack/interaction.ts';
import { targetPage } from '../../../slack/pages.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import type { Change } from '../edit/diff.ts';
import { save, saveByClick, savingForm } from '../edit/save.ts';
import { expectUnchanged } from '../list/checks.ts';
import { invalidField } from '../list/errors.ts';
import { parseGroupName } from '../list/fields.ts';
import { type ContactWithEmail, contactId, groupNamesById, groupsOf } from '../list/ids.ts';
import { cachedContacts, contactsOf, contactsToChange } from '../list/operations.ts';
import { contactRightsOf } from '../list/permission.ts';
import { type ListPosition, readPosition } from '../list/position.ts';
import { searchGroups, searchPeople } from '../list/search.ts';
import { goneError, groupOf, suggestions } from '../list/suggest.ts';
import { groupNotFound } from './errors.ts';
import { groupsView, groupView, newGroupView } from './views.ts';

/** Shows groups and their members, and adds and removes members. */
export function groupRoutes(services: ListenerServices): Required<Pick<Routes, 'actions' | 'forms' | 'options'>> {
  const positionOf = (interaction: Interaction) => readPosition(interaction.view?.private_metadata);
  const groupsModal = async (interaction: Interaction, page: number) => {
    const rights = await contactRightsOf(services, interaction.actor);
    const lists = await contactsOf(services, interaction.actor);
    return groupsView(lists, { ...positionOf(interaction), groups: page }, rights);
  };
  const groupModal = async (interaction: Interaction, change: Partial<ListPosition>) => {
    const position = { ...positionOf(interaction), ...change };
    const rights = await contactRightsOf(services, interaction.actor);
    const lists = await contactsOf(services, interaction.actor, { fresh: true });
    return groupView(expectGroup(lists, position.group), position, rights);
  };
  return {
    actions: {
      'contacts.groups': (interaction) => pushWhenReady(interaction, 'Groups', () => groupsModal(interaction, 0)),
      'contacts.groups-page': async (interaction, { value }) => {
        await interaction.update(await groupsModal(interaction, targetPage(value)));
      },
      'contacts.group': (interaction, { value }) =>
        pushWhenReady(interaction, 'Group', () => groupModal(interaction, { group: value, members: 0 })),
      'contacts.members-page': async (interaction, { value }) => {
        await interaction.update(await groupModal(interaction, { members: targetPage(value) }));
      },
      'contacts.new-group': (interaction) =>
        pushWhenReady(interaction, 'New group', async () => {
          await expectAllowed(services, interaction.actor, 'contacts');
          return newGroupView(positionOf(interaction));
        }),
      'contacts.leave': async (interaction, { value }) => {
        const position = positionOf(interaction);
        const lists = await contactsToChange(services, interaction.actor);
        const { name } = expectGroup(lists, position.group);
        const { email } = expectUnchanged(lists, value);
        const change: Change = { kind: 'group', group: name, join: [], leave: [email] };
        await saveByClick(services, interaction, change, { position });
      },
    },
    forms: {
      'contacts.join': savingForm(services, async (interaction, filled, metadata) => {
        const position = readPosition(metadata);
        const lists = await contactsToChange(services, interaction.actor);
        return addMembers(services, interaction, filled, lists, expectGroup(lists, position.group).name, position);
      }),
      'contacts.new-group': savingForm(services, async (interaction, filled, metadata) => {
        const lists = await contactsToChange(services, interaction.actor);
        return addMembers(services, interaction, filled, lists, filled.text('group'), readPosition(metadata));
      }),
    },
    options: {
      members: async (interaction, query) => {
        await expectAllowed(services, interaction.actor, 'view');
        const lists = await cachedContacts(services, interaction.actor);
        return suggestions([['People', ownPeople(lists, query)]]);
      },
      knownGroups: async (interaction, query) => {
        await expectAllowed(services, interaction.actor, 'view');
        const lists = await cachedContacts(services, interaction.actor);
        return suggestions([['Groups', searchGroups(lists, query).map((name) => groupOf(lists, name))]]);
      },
    },
  };
}

async function addMembers(
  services: ListenerServices,
  interaction: Interaction,
  filled: Filled,
  lists: ContactLists,
  group: string,
  position: ListPosition,
): Promise<FormAnswer> {
  const ids = filled.choices('members');
  if (ids.length === 0) throw invalidField('members', 'Choose at least one contact.');
  const own = new Map(ownPeople(lists, '').map(({ email }) => [contactId(email), email]));
  const gone = ids.filter((id) => !own.has(id));
  const labels = filled.labels('members');
  if (gone.length > 0)
    throw goneError(
      gone.map((id) => labels.get(id) ?? 'A contact'),
      'members',
    );
  const join = ids.flatMap((id) => own.get(id) ?? []);
  return save(services, interaction, { kind: 'group', group: parseGroupName(group), join, leave: [] }, { position });
}

/** The matching contacts in the workspace's own list. Only these can be added to groups. */
function ownPeople(lists: ContactLists, query: string): ContactWithEmail[] {
  const own = new Set<Contact>(lists.local);
  return searchPeople(lists, query).filter((contact) => own.has(contact));
}

/** A group by its id, with its members from both lists. */
function expectGroup(lists: ContactLists, id: string | undefined) {
  const name = groupNamesById(lists).get(id ?? '');
  const members = groupsOf(lists).get(name ?? '');
  if (name === undefined || members === undefined) throw groupNotFound();
  return { name, members, own: new Set(lists.local) };
}
