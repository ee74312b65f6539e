import { audited } from '../../common/audited.ts';
import type { Actor } from '../../common/services.ts';
import type { TransferServices } from '../kind.ts';
import { type Confirmed, type ConfirmOptions, confirm } from '../lifecycle/operations.ts';
import { requestKind } from './kind.ts';

export { type PreparedRequest, prepareRequest, prepareRequestAgain, type RequestDraft } from './prepare.ts';

/** Confirms a reviewed request. Its job gives contacts upload access for a limited time. */
export function confirmRequest(
  services: TransferServices,
  actor: Actor,
  reviewId: string,
  options: ConfirmOptions = {},
): Promise<Confirmed> {
  return audited(services, actor, 'ask for files', async ({ addDetails, skipEntry }) => {
    addDetails({ transfer: reviewId });
    skipEntry();
    return confirm(services, actor, requestKind, { ...options, reviewId });
  });
}
