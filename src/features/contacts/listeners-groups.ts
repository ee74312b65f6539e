import { DroplineError } from '../../errors.ts';
import type { ContactLists } from '../../exchange/index.ts';
import type { Filled } from '../../slack/form.ts';
import { turnedTo } from '../../slack/pages.ts';
import type { FormAnswer, Routes } from '../../slack/routes.ts';
import { pushWhenReady, type Visit } from '../../slack/visit.ts';
import { suggestions } from '../receivers/suggest.ts';
import { expectAllowed } from '../settings/permission.ts';
import type { UiServices } from '../ui-services.ts';
import { contactId, groupId, isAddressed } from './ids.ts';
import { contactsAtHand, contactsOf } from './lists.ts';
import { groupsOf } from './operations.ts';
import { type Place, readPlace } from './place.ts';
import { save, saveByClick, savingForm } from './save.ts';
import { searchContacts, searchGroups } from './search.ts';
import { expectSeen, rightsOf } from './shown.ts';
import { groupsView, groupView, newGroupView } from './views-groups.ts';

/** Groups: what there is, who is in them, and who comes in or goes out. */
export function groupRoutes(services: UiServices): Required<Pick<Routes, 'actions' | 'forms' | 'options'>> {
  const placeOf = (visit: Visit) => readPlace(visit.view?.private_metadata);
  const groups = async (visit: Visit, place: Place) => {
    const rights = await rightsOf(services, visit.actor);
    return groupsView(await contactsOf(services, visit.actor.workspace), place, rights);
  };
  const group = async (visit: Visit, place: Place) => {
    const rights = await rightsOf(services, visit.actor);
    const lists = await contactsOf(services, visit.actor.workspace, { fresh: true });
    return groupView(expectGroup(lists, place.group), place, rights);
  };
  return {
    actions: {
      'contacts.groups': (visit) =>
        pushWhenReady(visit, 'Groups', () => groups(visit, { ...placeOf(visit), groups: 0 })),
      'contacts.groupsPage': async (visit, { value }) => {
        await visit.open(await groups(visit, { ...placeOf(visit), groups: turnedTo(value) }));
      },
      'contacts.group': (visit, { value }) =>
        pushWhenReady(visit, 'Group', () => group(visit, { ...placeOf(visit), group: value, members: 0 })),
      'contacts.membersPage': async (visit, { value }) => {
        await visit.open(await group(visit, { ...placeOf(visit), members: turnedTo(value) }));
      },
      'contacts.newGroup': (visit) =>
        pushWhenReady(visit, 'New group', async () => {
          await expectAllowed(services, visit.actor, 'contacts');
          return newGroupView(placeOf(visit));
        }),
      'contacts.leave': async (visit, { value }) => {
        const place = placeOf(visit);
        await expectAllowed(services, visit.actor, 'contacts');
        const lists = await contactsOf(services, visit.actor.workspace, { fresh: true });
        const { name } = expectGroup(lists, place.group);
        const { email } = expectSeen(lists, value);
        await saveByClick(services, visit, { kind: 'group', group: name, join: [], leave: [email] }, { place });
      },
    },
    forms: {
      'contacts.join': savingForm(services, async (visit, filled, metadata) => {
        await expectAllowed(services, visit.actor, 'contacts');
        const place = readPlace(metadata);
        const lists = await contactsOf(services, visit.actor.workspace, { fresh: true });
        return join(services, visit, filled, lists, expectGroup(lists, place.group).name, place);
      }),
      'contacts.newGroup': savingForm(services, async (visit, filled, metadata) => {
        await expectAllowed(services, visit.actor, 'contacts');
        const lists = await contactsOf(services, visit.actor.workspace, { fresh: true });
        return join(services, visit, filled, lists, filled.text('group'), readPlace(metadata));
      }),
    },
    options: {
      members: async (visit, query) => {
        await expectAllowed(services, visit.actor, 'look');
        const { local } = await contactsAtHand(services, visit.actor.workspace);
        const people = new Map(local.filter(isAddressed).map((contact) => [contactId(contact.email), contact]));
        return suggestions([['People', searchContacts([...people.values()], query)]]);
      },
      knownGroups: async (visit, query) => {
        await expectAllowed(services, visit.actor, 'look');
        const all = groupsOf(await contactsAtHand(services, visit.actor.workspace));
        const found = searchGroups([...all.keys()], query);
        return suggestions([['Groups', found.map((name) => ({ group: name, members: all.get(name)?.length ?? 0 }))]]);
      },
    },
  };
}

async function join(
  services: UiServices,
  visit: Visit,
  filled: Filled,
  { local }: ContactLists,
  group: string,
  place: Place,
): Promise<FormAnswer> {
  const own = new Map(local.filter(isAddressed).map(({ email }) => [contactId(email), email]));
  const emails = filled.choices('members').map((id) => own.get(id));
  if (emails.length === 0) throw new DroplineError('invalid', 'Choose somebody to add.', { field: 'members' });
  const known = emails.filter((email) => email !== undefined);
  if (known.length < emails.length) {
    throw new DroplineError('not-found', 'Somebody here is not among the contacts any more. Choose again.', {
      field: 'members',
    });
  }
  return save(services, visit, { kind: 'group', group, join: known, leave: [] }, { place });
}

/** A group by its id, with its members of both lists. */
function expectGroup(lists: ContactLists, id: string | undefined) {
  const [name, members] = [...groupsOf(lists)].find(([name]) => groupId(name) === id) ?? [];
  if (name === undefined || members === undefined) {
    throw new DroplineError('not-found', 'This group is not there any more: nobody is in it.');
  }
  return { name, members, own: new Set(lists.local) };
}
