import { expectAllowed } from '../../../settings/permission.ts';
import type { Kind } from '../../operations.ts';
import { reviewExpired, reviewUsed } from './errors.ts';
import { sendJobKind } from './jobs.ts';

export const sendKind: Kind = {
  name: 'send',
  job: sendJobKind,
  expectAllowed: (services, actor) => expectAllowed(services, actor, 'send'),
  reviewExpired,
  reviewUsed,
};
