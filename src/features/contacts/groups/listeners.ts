import type { Contact, ContactLists } from '../../../exchange/index.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, pushWhenReady } from '../../../slack/interaction.ts';
import { targetPage } from '../../../slack/pages.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import type { UiServices } from '../../common/ui-services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { save, saveByClick, savingForm } from '../edit/save.ts';
import { groupNotFound, invalidField } from '../errors.ts';
import { contactsById, groupNamesById, groupsOf } from '../list/ids.ts';
import { expectUnchanged, rightsOf } from '../list/listeners.ts';
import { cachedContacts, contactsOf } from '../list/operations.ts';
import { type ListPosition, readPosition } from '../list/position.ts';
import { searchGroups, searchPeople } from '../list/search.ts';
import { goneError, suggestions } from '../list/suggest.ts';
import { groupsView, groupView, newGroupView } from './views.ts';

/** Shows groups and their members, and adds and removes members. */
export function groupRoutes(services: UiServices): Required<Pick<Routes, 'actions' | 'forms' | 'options'>> {
  const positionOf = (interaction: Interaction) => readPosition(interaction.view?.private_metadata);
  const groupsModal = async (interaction: Interaction, position: ListPosition) => {
    const rights = await rightsOf(services, interaction.actor);
    return groupsView(await contactsOf(services, interaction.actor.workspace), position, rights);
  };
  const groupModal = async (interaction: Interaction, position: ListPosition) => {
    const rights = await rightsOf(services, interaction.actor);
    const lists = await contactsOf(services, interaction.actor.workspace, { fresh: true });
    return groupView(expectGroup(lists, position.group), position, rights);
  };
  return {
    actions: {
      'contacts.groups': (interaction) =>
        pushWhenReady(interaction, 'Groups', () => groupsModal(interaction, { ...positionOf(interaction), groups: 0 })),
      'contacts.groups-page': async (interaction, { value }) => {
        await interaction.open(
          await groupsModal(interaction, { ...positionOf(interaction), groups: targetPage(value) }),
        );
      },
      'contacts.group': (interaction, { value }) =>
        pushWhenReady(interaction, 'Group', () =>
          groupModal(interaction, { ...positionOf(interaction), group: value, members: 0 }),
        ),
      'contacts.members-page': async (interaction, { value }) => {
        await interaction.open(
          await groupModal(interaction, { ...positionOf(interaction), members: targetPage(value) }),
        );
      },
      'contacts.new-group': (interaction) =>
        pushWhenReady(interaction, 'New group', async () => {
          await expectAllowed(services, interaction.actor, 'contacts');
          return newGroupView(positionOf(interaction));
        }),
      'contacts.leave': async (interaction, { value }) => {
        const position = positionOf(interaction);
        await expectAllowed(services, interaction.actor, 'contacts');
        const lists = await contactsOf(services, interaction.actor.workspace, { fresh: true });
        const { name } = expectGroup(lists, position.group);
        const { email } = expectUnchanged(lists, value);
        await saveByClick(
          services,
          interaction,
          { kind: 'group', group: name, join: [], leave: [email] },
          { position },
        );
      },
    },
    forms: {
      'contacts.join': savingForm(services, async (interaction, filled, metadata) => {
        await expectAllowed(services, interaction.actor, 'contacts');
        const position = readPosition(metadata);
        const lists = await contactsOf(services, interaction.actor.workspace, { fresh: true });
        return addMembers(services, interaction, filled, lists, expectGroup(lists, position.group).name, position);
      }),
      'contacts.new-group': savingForm(services, async (interaction, filled, metadata) => {
        await expectAllowed(services, interaction.actor, 'contacts');
        const lists = await contactsOf(services, interaction.actor.workspace, { fresh: true });
        return addMembers(services, interaction, filled, lists, filled.text('group'), readPosition(metadata));
      }),
    },
    options: {
      members: async (interaction, query) => {
        await expectAllowed(services, interaction.actor, 'view');
        const lists = await cachedContacts(services, interaction.actor.workspace);
        return suggestions([['People', searchPeople(lists, query).filter(isOwn(lists))]]);
      },
      knownGroups: async (interaction, query) => {
        await expectAllowed(services, interaction.actor, 'view');
        const lists = await cachedContacts(services, interaction.actor.workspace);
        const membersByGroup = groupsOf(lists);
        const groups = searchGroups(lists, query).map((name) => ({
          group: name,
          members: membersByGroup.get(name)?.length ?? 0,
        }));
        return suggestions([['Groups', groups]]);
      },
    },
  };
}

async function addMembers(
  services: UiServices,
  interaction: Interaction,
  filled: Filled,
  lists: ContactLists,
  group: string,
  position: ListPosition,
): Promise<FormAnswer> {
  const isIncluded = isOwn(lists);
  const emailOf = (id: string) => {
    const contact = contactsById(lists).get(id);
    return contact !== undefined && isIncluded(contact) ? contact.email : undefined;
  };
  const ids = filled.choices('members');
  const emails = ids.map(emailOf);
  if (emails.length === 0) throw invalidField('members', 'Choose at least one contact.');
  const memberEmails = emails.filter((email) => email !== undefined);
  if (memberEmails.length < emails.length) {
    const labels = filled.labels('members');
    const gone = ids.filter((id) => emailOf(id) === undefined).map((id) => labels.get(id) ?? 'A contact');
    throw goneError(gone, 'members');
  }
  return save(services, interaction, { kind: 'group', group, join: memberEmails, leave: [] }, { position });
}

/** Whether a contact is in the workspace's own list. Only these contacts can be added to groups. */
function isOwn({ global }: ContactLists): (contact: Contact) => boolean {
  const globals = new Set(global);
  return (contact) => !globals.has(contact);
}

/** A group by its id, with its members from both lists. */
function expectGroup(lists: ContactLists, id: string | undefined) {
  const name = groupNamesById(lists).get(id ?? '');
  const members = groupsOf(lists).get(name ?? '');
  if (name === undefined || members === undefined) throw groupNotFound();
  return { name, members, own: new Set(lists.local) };
}
