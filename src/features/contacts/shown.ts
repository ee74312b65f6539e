import type { ModalView } from '@slack/types';
import { DroplineError } from '../../errors.ts';
import type { ContactLists } from '../../exchange/index.ts';
import { withFieldIds } from '../../slack/field-ids.ts';
import type { Visit } from '../../slack/visit.ts';
import type { Actor } from '../services.ts';
import { expectAllowed, isAllowed } from '../settings/permission.ts';
import type { UiServices } from '../ui-services.ts';
import { type Addressed, isAddressed, versionOf } from './ids.ts';
import { contactsOf } from './lists.ts';
import { type Place, readPlace } from './place.ts';
import { listView, type Rights } from './views.ts';
import { groupsView } from './views-groups.ts';

export async function rightsOf(services: UiServices, actor: Actor): Promise<Rights> {
  const { settings } = await expectAllowed(services, actor, 'look');
  const role = await services.people.roleOf(actor);
  const mayChange = isAllowed(settings, role, actor.person, 'contacts');
  return { mayChange, onlyAdds: settings.contactsOnlyAdd };
}

/** The list as it is now; turning its pages is content with one that is some seconds old. */
export async function shownList(
  services: UiServices,
  { actor }: Visit,
  place: Place,
  { fresh = false } = {},
): Promise<ModalView> {
  const rights = await rightsOf(services, actor);
  return listView(await contactsOf(services, actor.workspace, { fresh }), place, rights);
}

/** Shows what is below a view anew when that is closed, because it may have changed it. */
export async function refreshBelow(services: UiServices, visit: Visit, metadata: string): Promise<void> {
  const { id, root_view_id: root, previous_view_id: previous } = visit.view ?? {};
  const place = readPlace(metadata);
  if (place.fromList !== true || typeof root !== 'string' || root === id) return;
  const refresh = async () => {
    const rights = await rightsOf(services, visit.actor);
    const lists = await contactsOf(services, visit.actor.workspace, { fresh: true });
    if (place.groups !== undefined && typeof previous === 'string' && previous !== root) {
      await visit.client.views.update({ view_id: previous, view: groupsView(lists, place, rights) });
    }
    await visit.client.views.update({ view_id: root, view: withFieldIds(listView(lists, place, rights)) });
  };
  // Nobody asked for it: where it cannot be done, the list stays as it was.
  await refresh().catch(() => {});
}

/** One of the workspace's own contacts, exactly as somebody saw it. */
export function expectSeen({ local }: ContactLists, version: string | undefined): Addressed {
  const found = local.filter(isAddressed).find((contact) => versionOf(contact) === version);
  if (found !== undefined) return found;
  throw new DroplineError('changed', 'This contact was changed or removed meanwhile. Search for it again.');
}
