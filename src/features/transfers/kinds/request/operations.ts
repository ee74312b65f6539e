import { audited } from '../../../common/audited.ts';
import type { Actor, Services } from '../../../common/services.ts';
import { confirm } from '../../operations.ts';
import { requestKind } from './kind.ts';
import { freezeOldReview } from './old-review.ts';

export { type PreparedRequest, prepareRequest, type RequestDraft } from './prepare.ts';

/** Adds a job that gives contacts upload access for a limited time. Resolves with the request's id. */
export function confirmRequest(services: Services, actor: Actor, confirmation: string): Promise<string> {
  return audited(services, actor, 'ask for files', async ({ addDetails }) => {
    await freezeOldReview(services, actor, confirmation);
    const { id, details } = await confirm(services, actor, requestKind, confirmation);
    addDetails({ request: id, contacts: details.receivers.map(({ email }) => email) });
    return id;
  });
}
