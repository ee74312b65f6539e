import { audited } from '../../common/audited.ts';
import type { Actor } from '../../common/services.ts';
import { canUse, expectAllowed } from '../../settings/permission.ts';
import type { ExpiryUnit } from '../../settings/repository.ts';
import { changeDraft, type Draft } from '../../staging/repository.ts';
import { transferNotFound } from '../errors.ts';
import type { TransferServices } from '../kind.ts';
import {
  type Confirmed,
  type ConfirmOptions,
  cancelTransfer,
  confirm,
  enqueue,
  readRepeatable,
} from '../lifecycle/operations.ts';
import { isOfDesk, retryIdOf, transfersIn } from '../repository.ts';
import type { Send, SendContent } from '../transfer.ts';
import { nothingBlocked, senderPresent } from './errors.ts';
import { sendKind } from './kind.ts';
import { prepareSend, type Review } from './prepare.ts';

export { prepareSend, type Review, type SendDraft } from './prepare.ts';

/**
 * Confirms a review, and removes what is being sent from the draft. `form`: the modal, whose late events are ignored.
 */
export function confirmSend(
  services: TransferServices,
  actor: Actor,
  reviewId: string,
  options: ConfirmOptions = {},
): Promise<Confirmed> {
  return audited(services, actor, 'confirm', async ({ addDetails, skipEntry }) => {
    addDetails({ transfer: reviewId });
    skipEntry();
    return confirm(services, actor, sendKind, { ...options, reviewId }, (within, content) =>
      changeDraft(services, actor, (draft) => draftAfter(draft, content, options.form), { within }),
    );
  });
}

/** Number of sent forms to remember. */
const maxSentForms = 5;

function draftAfter(
  { staged, sent, ...draft }: Draft,
  { files, after, repeats }: SendContent,
  form: string | undefined,
): Partial<Draft> {
  const sentFiles = new Set(files.map((file) => file.id));
  // A repeated transfer starts from an earlier one, not from the draft, so the draft stays.
  const isFromDraft = after === undefined && repeats === undefined;
  return {
    staged: staged.filter((file) => !sentFiles.has(file)),
    sent: [...new Set([...sent, ...(form === undefined ? [] : [form])])].slice(-maxSentForms),
    ...(isFromDraft ? emptyDraft : draft),
  };
}

const emptyDraft = {
  recipients: [],
  groups: [],
  message: undefined,
  expiresAfter: undefined,
  expiryDate: undefined,
  note: undefined,
  plannedFor: undefined,
  form: undefined,
};

/**
 * Prepares the same transfer again, possibly without some of its files, as a new review to confirm. A transfer that
 * wasn't sent can be confirmed again once.
 */
export async function prepareAgain(
  services: TransferServices,
  actor: Actor,
  id: string,
  { without = [] }: { without?: readonly string[] } = {},
): Promise<Review> {
  await expectAllowed(services, actor, 'send');
  const transfer = await readRepeatable(services, actor, sendKind, id);
  const { recipients, files, message, expiresAfter, expiryDate } = transfer;
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

/** A send in any state, as Dropline has recorded it. As in the history, members see their own, admins and auditors see all. */
export async function readSend(
  services: TransferServices,
  actor: Actor,
  id: string,
): Promise<{ transfer: Send; unit: ExpiryUnit }> {
  const { may, settings } = await expectAllowed(services, actor, 'history');
  const transfer = await transfersIn(services.store).read(id, 'send');
  if (!isOfDesk(transfer, actor) || !may('history', transfer)) throw transferNotFound();
  return { transfer, unit: settings.expiryUnit };
}

/** Sends a blocked transfer as it was confirmed, after deleting the unexpected files that the admin has reviewed. */
export function removeUnexpectedAndSend(services: TransferServices, admin: Actor, id: string): Promise<Confirmed> {
  return audited(services, admin, 'remove unexpected files', async ({ addDetails, record }) => {
    await expectAllowed(services, admin, 'admin');
    const blocked = await transfersIn(services.store).read(id, 'send');
    const { result } = blocked?.progress ?? {};
    if (!isOfDesk(blocked, admin) || result?.code !== 'unexpected-files') throw nothingBlocked();
    addDetails({ transfer: id, files: result.names.map((name) => ({ name })) });
    const { recipients, files, message, expiresAfter, expiryDate, approval, person } = blocked;
    const content = { kind: 'send' as const, recipients, files, message, expiresAfter, expiryDate, after: id };
    const retryId = retryIdOf(id);
    const sender = { workspace: blocked.workspace, account: blocked.account, person };
    const progress = { removeUnexpected: result.names };
    // The content is unchanged, so an approval decision still applies.
    const decided = approval?.decision === undefined ? undefined : approval;
    const beginning = { id: retryId, content, progress, approval: decided };
    const ahead = await enqueue(services, sender, sendKind, beginning, record);
    return { id: retryId, ahead, needsApproval: false };
  });
}

/**
 * Copies the content of the person's ended send into the draft. Its files are added to the staged files. `form`: the
 * modal that gets the form, in which it may have been sent.
 */
export async function restoreDraft(services: TransferServices, actor: Actor, id: string, form?: string): Promise<void> {
  await copyToDraft(services, actor, await readRepeatable(services, actor, sendKind, id), form);
}

/**
 * Cancels a waiting transfer of someone who can't use Dropline any more, and copies its content into the admin's draft.
 * The draft comes first: if it were cancelled before, a crash in between would lose the content.
 */
export async function takeOver(services: TransferServices, admin: Actor, id: string): Promise<void> {
  await expectAllowed(services, admin, 'admin');
  const transfer = await transfersIn(services.store).read(id, 'send');
  if (!isOfDesk(transfer, admin) || transfer.endedAt !== undefined) throw transferNotFound();
  if (await canUse(services, transfer)) throw senderPresent();
  await copyToDraft(services, admin, transfer);
  await cancelTransfer(services, admin, id);
}

async function copyToDraft(services: TransferServices, actor: Actor, transfer: Send, form?: string): Promise<void> {
  const { recipients, files, message, expiresAfter, expiryDate, plannedFor } = transfer;
  const fileIds = files.map((file) => file.id);
  await changeDraft(services, actor, ({ staged, unticked, sent }) => ({
    recipients: recipients.map(({ email }) => email),
    groups: [],
    staged: [...new Set([...staged, ...fileIds])],
    unticked: unticked.filter((one) => !fileIds.includes(one)),
    message,
    expiresAfter,
    expiryDate,
    plannedFor,
    form: undefined,
    sent: sent.filter((one) => one !== form),
  }));
}
