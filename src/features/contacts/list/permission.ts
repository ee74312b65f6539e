import type { Actor, Services } from '../../common/services.ts';
import { expectAllowed } from '../../settings/permission.ts';

/** What a person can do with the contacts. */
export interface ContactRights {
  canAdd: boolean;
  /** Whether the person can also change and remove contacts. On an add-only service, nobody can. */
  canEdit: boolean;
}

export async function contactRightsOf(services: Services, actor: Actor): Promise<ContactRights> {
  const { settings, may } = await expectAllowed(services, actor, 'view');
  const canAdd = may('contacts');
  return { canAdd, canEdit: canAdd && !settings.contactsOnlyAdd };
}
