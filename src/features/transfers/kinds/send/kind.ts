import { expectAllowed } from '../../../settings/permission.ts';
import type { Kind } from '../../operations.ts';
import { sendJobKind } from './jobs.ts';

export const sendKind: Kind = {
  name: 'dispatch',
  job: sendJobKind,
  expectAllowed: (services, actor) => expectAllowed(services, actor, 'send'),
  expired: 'This review has expired. Review it again.',
  used: "Already confirmed. It's sent only once.",
};
