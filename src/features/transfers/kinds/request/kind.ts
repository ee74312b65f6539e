import { DroplineError } from '../../../../errors.ts';
import type { Actor, Services } from '../../../common/services.ts';
import { type Access, expectAllowed } from '../../../settings/permission.ts';
import type { Kind } from '../../operations.ts';
import { grantJobKind } from './job.ts';

export async function expectRequestsOn(services: Services, actor: Actor): Promise<Access> {
  const access = await expectAllowed(services, actor, 'request');
  if (access.settings.requests) return access;
  throw new DroplineError(
    'switched-off',
    'Requests for files are switched off. An admin can switch them on in the settings.',
  );
}

const expiredOrUsed = 'This has expired or was confirmed before. Type /drop request to begin again.';

export const requestKind: Kind = {
  name: 'grant',
  job: grantJobKind,
  expectAllowed: expectRequestsOn,
  expired: expiredOrUsed,
  used: expiredOrUsed,
};
