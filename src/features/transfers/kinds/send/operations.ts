import { audited } from '../../../common/audited.ts';
import type { Actor, Services } from '../../../common/services.ts';
import { expectAllowed } from '../../../settings/permission.ts';
import type { ExpiryUnit } from '../../../settings/repository.ts';
import { transferNotFound } from '../../errors.ts';
import { type Confirmed, confirm, enqueue, readRepeatable } from '../../operations.ts';
import { hasDetails, retryIdOf, type TransferWithDetails, transfersIn } from '../../repository.ts';
import { nothingBlocked } from './errors.ts';
import { sendKind } from './kind.ts';
import { prepareSend, type Review } from './prepare.ts';

export { prepareSend, type Review, type SendDraft } from './prepare.ts';

export function confirmSend(services: Services, actor: Actor, reviewId: string, note?: string): Promise<Confirmed> {
  return audited(services, actor, 'confirm', async ({ addDetails, skipEntry }) => {
    addDetails({ transfer: reviewId });
    skipEntry();
    return confirm(services, actor, sendKind, { reviewId, note }, ({ after }) =>
      after === undefined ? reviewId : retryIdOf(after),
    );
  });
}

/**
 * Prepares the same transfer again, possibly without some of its files, as a new review to confirm. A transfer that
 * wasn't sent can be confirmed again once.
 */
export async function prepareAgain(
  services: Services,
  actor: Actor,
  id: string,
  { without = [] }: { without?: readonly string[] } = {},
): Promise<Review> {
  await expectAllowed(services, actor, 'send');
  const transfer = await readRepeatable(services, actor, sendKind, id);
  const { recipients, files, message, expiresAfter, expiryDate } = transfer.details;
  return prepareSend(services, actor, {
    recipients: recipients.map(({ email }) => email),
    groups: [],
    files: files.filter(({ name }) => !without.includes(name)).map((file) => file.id),
    message,
    expiresAfter,
    expiryDate,
    repeats: transfer,
    ...(transfer.state === 'sent' ? {} : { after: id }),
  });
}

/** A transfer in any state, as Dropline has recorded it. As in the history, members see their own, admins see all. */
export async function readTransferDetails(
  services: Services,
  actor: Actor,
  id: string,
): Promise<{ transfer: TransferWithDetails; unit: ExpiryUnit }> {
  const { isAdmin, settings } = await expectAllowed(services, actor, 'send');
  const transfer = await transfersIn(services.store).read(id);
  const isVisible = transfer?.workspace === actor.workspace && (isAdmin || transfer.person === actor.person);
  if (!isVisible || !hasDetails(transfer)) throw transferNotFound();
  return { transfer, unit: settings.expiry.unit };
}

/** Sends a blocked transfer as it was confirmed, after deleting the unexpected files that the admin has reviewed. */
export function removeUnexpectedAndSend(services: Services, admin: Actor, id: string): Promise<Confirmed> {
  return audited(services, admin, 'remove unexpected files', async ({ addDetails, record }) => {
    await expectAllowed(services, admin, 'admin');
    const blocked = await transfersIn(services.store).read(id);
    const { result } = blocked?.details ?? {};
    if (
      blocked?.details === undefined ||
      blocked.workspace !== admin.workspace ||
      result?.code !== 'unexpected-files'
    ) {
      throw nothingBlocked();
    }
    addDetails({ transfer: id, files: result.names.map((name) => ({ name })) });
    const { recipients, files, message, expiresAfter, expiryDate, approval } = blocked.details;
    const content = { recipients, files, message, expiresAfter, expiryDate, removeUnexpected: result.names, after: id };
    // The content is unchanged, so an approval decision still applies.
    const details = approval?.decision === undefined ? content : { ...content, approval };
    const retryId = retryIdOf(id);
    const sender = { workspace: admin.workspace, person: blocked.person };
    const ahead = await enqueue(services, sender, sendKind, { id: retryId, details }, record);
    return { id: retryId, details, ahead, needsApproval: false };
  });
}
