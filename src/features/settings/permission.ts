import type { Actor, Role, Services } from '../common/services.ts';
import { notAllowed, onlyForAdmins, onlyForWorkspaceAdmins, outsidersRefused } from './errors.ts';
import { type FileRules, type Permission, permissionSettings, readSettings, type Settings } from './repository.ts';

export interface Access {
  settings: Settings;
  isAdmin: boolean;
}

/** `view`: everything that all users of Dropline can see. `disconnect`: only for admins by their role in Slack. */
export type Action = Permission | 'admin' | 'disconnect' | 'view';

export function isAllowed(settings: Settings, role: Role, person: string, action: Action): boolean {
  if (role === 'none') return false;
  if (action === 'view') return true;
  if (action === 'disconnect') return role === 'admin';
  if (role === 'admin' || settings.admins.includes(person)) return true;
  if (action === 'admin') return false;
  const allowedPeople = settings[permissionSettings[action]];
  return allowedPeople === 'everyone' || (allowedPeople !== 'admins' && allowedPeople.includes(person));
}

/** Whether files can be sent to the address. Admins can limit the domains. */
export function isDomainAllowed({ recipientDomains }: Pick<Settings, 'recipientDomains'>, email: string): boolean {
  if (recipientDomains.length === 0) return true;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return recipientDomains.some((allowed) => allowed.toLowerCase() === domain);
}

/** Whether files with the extension can be sent. */
export function isExtensionAllowed({ fileTypes, extensions }: FileRules, extension: string): boolean {
  if (fileTypes === 'any') return true;
  return extensions.includes(extension) === (fileTypes === 'allow');
}

export const actionTexts: Record<Exclude<Action, 'admin' | 'disconnect'>, string> = {
  send: 'send files',
  request: 'request files',
  download: 'download files',
  contacts: 'change contacts',
  view: 'look at this',
};

/** Rejects unless the person is allowed to do this now. Jobs check it again when they run. */
export async function expectAllowed(
  services: Pick<Services, 'store' | 'people'>,
  actor: Actor,
  action: Action,
): Promise<Access> {
  const [settings, cached] = await Promise.all([
    readSettings(services, actor.workspace),
    services.people.roleOf(actor),
  ]);
  // A former admin must not act as one until the cached role expires. Others can't use up the calls that Slack allows.
  const isConfirmed = isAllowed(settings, cached, actor.person, action);
  const isForAdmins = action === 'admin' || action === 'disconnect';
  const role = isConfirmed && isForAdmins ? await services.people.roleOf(actor, { isCurrent: true }) : cached;
  if (isAllowed(settings, role, actor.person, action)) {
    return { settings, isAdmin: isAllowed(settings, role, actor.person, 'admin') };
  }
  if (role === 'none') throw outsidersRefused();
  if (action === 'disconnect') throw onlyForWorkspaceAdmins();
  throw action === 'admin' ? onlyForAdmins() : notAllowed(actionTexts[action]);
}
