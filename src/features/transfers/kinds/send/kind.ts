import { expectAllowed } from '../../../settings/permission.ts';
import type { Kind } from '../../operations.ts';
import { sendJobKind } from './job.ts';

export const sendKind: Kind = {
  name: 'dispatch',
  job: sendJobKind,
  expectAllowed: (services, actor) => expectAllowed(services, actor, 'send'),
  expired: 'This confirmation has expired. Check it and confirm again.',
  used: 'This was confirmed before; it is sent once.',
};
