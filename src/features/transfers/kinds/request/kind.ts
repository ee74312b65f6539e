import { DroplineError } from '../../../../errors.ts';
import type { Actor, Services } from '../../../common/services.ts';
import { type Access, expectAllowed } from '../../../settings/permission.ts';
import type { Kind } from '../../operations.ts';
import { requestJobKind } from './jobs.ts';

export async function expectRequestsOn(services: Services, actor: Actor): Promise<Access> {
  const access = await expectAllowed(services, actor, 'request');
  if (access.settings.requests) return access;
  throw new DroplineError('switched-off', 'File requests are off. An admin can turn them on in the settings.');
}

const expiredOrUsed = 'This review has expired or was already confirmed. Type /drop request to start again.';

export const requestKind: Kind = {
  name: 'grant',
  job: requestJobKind,
  expectAllowed: expectRequestsOn,
  expired: expiredOrUsed,
  used: expiredOrUsed,
};
