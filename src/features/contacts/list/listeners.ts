import type { ModalView } from '@slack/types';
import type { ContactLists } from '../../../exchange/index.ts';
import { withFieldIds } from '../../../slack/field-ids.ts';
import type { Interaction } from '../../../slack/interaction.ts';
import type { Actor } from '../../common/services.ts';
import type { UiServices } from '../../common/ui-services.ts';
import { expectAllowed, isAllowed } from '../../settings/permission.ts';
import { contactChanged } from '../errors.ts';
import { groupsView } from '../groups/views.ts';
import { listView, type Rights } from '../views.ts';
import { type ContactWithEmail, hasEmail, versionOf } from './ids.ts';
import { contactsOf } from './operations.ts';
import { type ListPosition, readPosition } from './position.ts';

export async function rightsOf(services: UiServices, actor: Actor): Promise<Rights> {
  const { settings } = await expectAllowed(services, actor, 'view');
  const role = await services.people.roleOf(actor);
  const canChange = isAllowed(settings, role, actor.person, 'contacts');
  return { canChange, onlyAdds: settings.contactsOnlyAdd };
}

/** The modal with the list of contacts. Unless `fresh`, it can use a cached list. */
export async function contactListView(
  services: UiServices,
  { actor }: Interaction,
  position: ListPosition,
  { fresh = false } = {},
): Promise<ModalView> {
  const rights = await rightsOf(services, actor);
  return listView(await contactsOf(services, actor.workspace, { fresh }), position, rights);
}

/** Refreshes the views below a closed view: the edit might have changed the contacts that they show. */
export async function refreshViewsBelow(
  services: UiServices,
  interaction: Interaction,
  metadata: string,
): Promise<void> {
  const { id, root_view_id: root, previous_view_id: previous } = interaction.view ?? {};
  const position = readPosition(metadata);
  if (position.fromList !== true || typeof root !== 'string' || root === id) return;
  const refresh = async () => {
    const rights = await rightsOf(services, interaction.actor);
    const lists = await contactsOf(services, interaction.actor.workspace, { fresh: true });
    if (position.groups !== undefined && typeof previous === 'string' && previous !== root) {
      await interaction.client.views.update({ view_id: previous, view: groupsView(lists, position, rights) });
    }
    await interaction.client.views.update({ view_id: root, view: withFieldIds(listView(lists, position, rights)) });
  };
  // The person didn't ask for a refresh: if it fails, the views stay as they were.
  await refresh().catch(() => {});
}

/** The local contact with this version. Throws if the contact has changed since the person saw it. */
export function expectUnchanged({ local }: ContactLists, version: string | undefined): ContactWithEmail {
  const unchanged = local.filter(hasEmail).find((contact) => versionOf(contact) === version);
  if (unchanged !== undefined) return unchanged;
  throw contactChanged();
}
