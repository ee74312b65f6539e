import type { Actor, Services } from '../../common/services.ts';
import { expectAllowed, isAllowed } from '../../settings/permission.ts';

/** What a person can do with the contacts. */
export interface Rights {
  canAdd: boolean;
  /** Whether the person can also change and remove contacts. On an add-only service, nobody can. */
  canEdit: boolean;
}

export async function rightsOf(services: Services, actor: Actor): Promise<Rights> {
  const { settings } = await expectAllowed(services, actor, 'view');
  const role = await services.people.roleOf(actor);
  const canAdd = isAllowed(settings, role, actor.person, 'contacts');
  return { canAdd, canEdit: canAdd && !settings.contactsOnlyAdd };
}
