import { audited } from '../../../common/audited.ts';
import type { Actor, Services } from '../../../common/services.ts';
import { expectAllowed } from '../../../settings/permission.ts';
import type { ExpiryUnit } from '../../../settings/repository.ts';
import { changeDraft, type Draft } from '../../../staging/repository.ts';
import { transferNotFound } from '../../errors.ts';
import { type Confirmed, confirm, enqueue, readRepeatable } from '../../operations.ts';
import {
  hasDetails,
  retryIdOf,
  type TransferDetails,
  type TransferWithDetails,
  transfersIn,
} from '../../repository.ts';
import { nothingBlocked } from './errors.ts';
import { sendKind } from './kind.ts';
import { prepareSend, type Review } from './prepare.ts';

export { prepareSend, type Review, type SendDraft } from './prepare.ts';

/**
 * Confirms a review, and removes what is being sent from the draft. `form`: the modal, whose late events are ignored.
 */
export function confirmSend(
  services: Services,
  actor: Actor,
  reviewId: string,
  { note, form }: { note?: string | undefined; form?: string | undefined } = {},
): Promise<Confirmed> {
  const idOf = ({ after }: TransferDetails) => (after === undefined ? reviewId : retryIdOf(after));
  return audited(services, actor, 'confirm', async ({ addDetails, skipEntry }) => {
    addDetails({ transfer: reviewId });
    skipEntry();
    return confirm(services, actor, sendKind, { reviewId, note }, idOf, (within, details) =>
      changeDraft(services, actor, (draft) => draftAfter(draft, details, form), { within }),
    );
  });
}

/** Number of sent forms to remember. */
const maxSentForms = 5;

function draftAfter(
  { staged, sent, ...draft }: Draft,
  { files, after, repeats }: TransferDetails,
  form: string | undefined,
): Partial<Draft> {
  const sentFiles = new Set(files.map((file) => file.id));
  return {
    staged: staged.filter((file) => !sentFiles.has(file)),
    sent: [...new Set([...sent, ...(form === undefined ? [] : [form])])].slice(-maxSentForms),
    // A repeated transfer starts from an earlier one, not from the draft, so the draft stays.
    ...(after === undefined && repeats === undefined ? emptyDraft : draft),
  };
}

const emptyDraft = {
  recipients: [],
  groups: [],
  message: undefined,
  expiresAfter: undefined,
  expiryDate: undefined,
  note: undefined,
  form: undefined,
};

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
