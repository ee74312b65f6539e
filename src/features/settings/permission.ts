import { DroplineError } from '../../errors.ts';
import type { Actor, Role, Services } from '../common/services.ts';
import type { Permission, Settings } from './settings.ts';
import { readSettings } from './stored.ts';

export interface Standing {
  settings: Settings;
  isAdmin: boolean;
}

/** `look`: see what everyone who can use Dropline can see. */
type What = Permission | 'admin' | 'look';

/** Whether these settings allow a person to do something. */
export function isAllowed(settings: Settings, role: Role, person: string, what: What): boolean {
  if (role === 'none') return false;
  if (what === 'look') return true;
  if (role === 'admin' || settings.admins.includes(person)) return true;
  if (what === 'admin') return false;
  const who = settings.may[what];
  return who === 'everyone' || (who !== 'admins' && who.includes(person));
}

const words: Record<What, string> = {
  send: 'send files',
  request: 'request files',
  download: 'download files',
  contacts: 'change contacts',
  admin: 'do this',
  look: 'look at this',
};

/** Rejects unless the person is allowed to do this now. Checked again when work runs that was allowed earlier. */
export async function expectAllowed(
  services: Pick<Services, 'store' | 'people'>,
  actor: Actor,
  what: What,
): Promise<Standing> {
  const [settings, role] = await Promise.all([readSettings(services, actor.workspace), services.people.roleOf(actor)]);
  if (isAllowed(settings, role, actor.person, what)) {
    return { settings, isAdmin: isAllowed(settings, role, actor.person, 'admin') };
  }
  if (role === 'none') {
    throw new DroplineError(
      'not-allowed',
      'Guests, bots and people from other organisations cannot use Dropline here.',
    );
  }
  const cure = what === 'admin' ? 'Only admins can.' : 'An admin can allow it in the settings.';
  throw new DroplineError('not-allowed', `You may not ${words[what]} in this workspace. ${cure}`);
}
