import type { Actor, Services } from '../../../common/services.ts';
import { type Access, expectAllowed } from '../../../settings/permission.ts';
import type { Kind } from '../../operations.ts';
import { requestsOff, reviewExpired, reviewUsed } from './errors.ts';
import { requestJobKind } from './jobs.ts';

export async function expectRequestsOn(services: Services, actor: Actor): Promise<Access> {
  const access = await expectAllowed(services, actor, 'request');
  if (!access.settings.requests) throw requestsOff();
  return access;
}

export const requestKind: Kind = {
  name: 'request',
  job: requestJobKind,
  expectAllowed: expectRequestsOn,
  reviewExpired,
  reviewUsed,
};
