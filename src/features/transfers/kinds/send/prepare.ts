import { createHash } from 'node:crypto';
import { bounds } from '../../../../bounds.ts';
import { createFieldErrors, type DroplineError, isDroplineError } from '../../../../errors.ts';
import { uniqueNames } from '../../../common/names.ts';
import type { Actor, Services, SourceFile } from '../../../common/services.ts';
import type { Chosen } from '../../../contacts/list/ids.ts';
import { contactsOf, type RecentChange, recentlyChanged } from '../../../contacts/operations.ts';
import { expectScannable, withAllowedKinds } from '../../../scanning/operations.ts';
import { type Pauses, pausesIn } from '../../../settings/pause/repository.ts';
import { expectAllowed } from '../../../settings/permission.ts';
import { expectFilesAllowed } from '../../../settings/policies/checks.ts';
import { contentUnreadable } from '../../../settings/policies/errors.ts';
import { lookUpFiles } from '../../../staging/operations.ts';
import { readDraft } from '../../../staging/repository.ts';
import { type ApprovalNotice, approvalNotice } from '../../approval/checks.ts';
import { expectExpiry, expectFileCount, expectRecipients, expectRepeatable } from '../../checks.ts';
import { type EarlierAttempt, earlierAttempts } from '../../duplicates.ts';
import { filesGone } from '../../errors.ts';
import { recipientsInHistory } from '../../history/operations.ts';
import { storeReview } from '../../operations.ts';
import type { TransferFile, TransferRecipient, TransferWithDetails } from '../../repository.ts';
import { fileMissing, filesRefused, filesUnavailable } from './errors.ts';
import { sendKind } from './kind.ts';

export interface SendDraft extends Chosen {
  /** Ids that `Services.sources` can open. */
  files: readonly string[];
  message: string;
  expiresAfter: number;
  /** Set if a date was entered. Then `expiresAfter` isn't used. */
  expiryDate?: string | undefined;
  /** The unsent transfer that this one retries. */
  after?: string;
  /** The transfer that this one repeats. What is no longer available is left out, with a notice. */
  repeats?: TransferWithDetails;
  /** Errors of fields that couldn't be read. They are thrown with those of the other fields. */
  errors?: readonly DroplineError[];
}

export interface Review {
  /** The id to confirm with; works once. */
  reviewId: string;
  recipients: (TransferRecipient & {
    /** Undefined if the history couldn't be read. */
    isFirstTime: boolean | undefined;
    changed: RecentChange | undefined;
  })[];
  /** False if there are more contact changes than the review reads. */
  hasAllChanges: boolean;
  files: (TransferFile & { originalName: string })[];
  totalBytes: number;
  message: string;
  expiresAfter: number;
  expiryDate?: string | undefined;
  /** The transfer that this one could duplicate. */
  earlier: EarlierAttempt | undefined;
  /** Who reads the review; the sender by default. */
  reader?: 'sender' | 'approver';
  /** Set if another person has to approve it. */
  approval?: ApprovalNotice | undefined;
  pauses?: Pauses | undefined;
  /** Whether the reader can end a pause. */
  canResume?: boolean | undefined;
  /** What a repeated transfer leaves out or changes. */
  notices?: string[];
}

/** Stores recipients and files with the review. Only what the review shows will be sent. */
export async function prepareSend(services: Services, actor: Actor, entered: SendDraft): Promise<Review> {
  const { settings, isAdmin } = await expectAllowed(services, actor, 'send');
  const { workspace } = actor;
  const { repeats, message } = entered;
  const lists = await contactsOf(services, workspace, { fresh: true });
  const zone = await services.people.zoneOf(actor);
  const { chosen, notices, ...expiry } =
    repeats === undefined
      ? { chosen: entered, expiresAfter: entered.expiresAfter, expiryDate: entered.expiryDate, notices: [] }
      : expectRepeatable(settings, lists, entered, zone);
  const { expiryDate } = expiry;
  const errors = createFieldErrors(entered.errors);
  const contacts = errors.check(() => expectRecipients(settings, lists, chosen, 'recipient')) ?? [];
  const expiresAfter = errors.check(() => expectExpiry(settings, expiry, zone)) ?? Number.NaN;
  const checkedFiles = await errors.checkAsync(() => expectFiles(services, actor, entered));
  const { files, gone } = checkedFiles ?? { files: [], gone: [] };
  errors.check(() => expectFilesAllowed(settings.policies, files));
  await errors.checkAsync(() => expectScannable(services, settings.policies, files));
  errors.throwIfAny();
  const recipients = contacts.map(({ email, number, nick, json }) => ({ email, number, nick, json }));
  const sentFiles = files.map(({ originalName: _, ...file }) => file);
  const reviewedFiles = await withAllowedKinds(services, workspace, settings, sentFiles);
  const earlier = await earlierAttempts(services, actor, 'send', { recipients, files: reviewedFiles }, repeats);
  const emails = recipients.map(({ email }) => email);
  const [earlierRecipients, recent] = await Promise.all([
    recipientsInHistory(services, workspace, emails),
    recentlyChanged(services, workspace, emails),
  ]);
  const reviewed = withReviewFacts(recipients, earlierRecipients, recent.changes);
  const hasNewRecipient = earlierRecipients && reviewed.some(({ isFirstTime }) => isFirstTime);
  const details = {
    recipients,
    files: reviewedFiles,
    message,
    expiresAfter,
    ...(expiryDate === undefined ? {} : { expiryDate }),
    removeUnexpected: [],
    ...(earlier.length === 0 ? {} : { earlier: earlier.map(({ id }) => id) }),
    ...(entered.after === undefined ? {} : { after: entered.after }),
    ...(repeats === undefined ? {} : { repeats: repeats.id }),
    ...(hasNewRecipient === undefined ? {} : { hasNewRecipient }),
  };
  const approval = await approvalNotice(services, settings, actor, 'send', details);
  const reviewId = await storeReview(services, actor, sendKind, details, chosen);
  return {
    reviewId,
    recipients: reviewed,
    hasAllChanges: recent.isAll,
    files,
    totalBytes: files.reduce((sum, { size }) => sum + size, 0),
    message,
    expiresAfter,
    expiryDate,
    earlier: earlier[0],
    approval,
    pauses: await pausesIn(services.store).read(workspace),
    canResume: isAdmin,
    notices: [...(gone.length === 0 ? [] : [`No longer in Slack: ${gone.join(', ')}.`]), ...notices],
  };
}

/** Adds to each recipient whether they are new and whether their contact was changed. */
function withReviewFacts(
  recipients: readonly TransferRecipient[],
  earlierRecipients: ReadonlySet<string> | undefined,
  changes: ReadonlyMap<string, RecentChange>,
): Review['recipients'] {
  return recipients.map((recipient) => ({
    ...recipient,
    isFirstTime: earlierRecipients === undefined ? undefined : !earlierRecipients.has(recipient.email.toLowerCase()),
    changed: changes.get(recipient.email.toLowerCase()),
  }));
}

/** The review of a transfer that was already confirmed. New recipients and changed contacts are labelled as of now. */
export async function reviewOfTransfer(
  services: Services,
  { id, workspace, details }: TransferWithDetails,
): Promise<Review> {
  const { recipients, files, message, expiresAfter, expiryDate } = details;
  const emails = recipients.map(({ email }) => email);
  const [earlierRecipients, recent] = await Promise.all([
    recipientsInHistory(services, workspace, emails),
    recentlyChanged(services, workspace, emails),
  ]);
  return {
    reviewId: id,
    recipients: withReviewFacts(recipients, earlierRecipients, recent.changes),
    hasAllChanges: recent.isAll,
    files: files.map((file) => ({ ...file, originalName: file.name })),
    totalBytes: files.reduce((sum, { size }) => sum + size, 0),
    message,
    expiresAfter,
    expiryDate,
    earlier: undefined,
  };
}

/** The files to send and, for a repeated transfer, the names of those that are gone. */
async function expectFiles(
  services: Services,
  actor: Actor,
  { files: ids, repeats }: SendDraft,
): Promise<{ files: Review['files']; gone: string[] }> {
  if (ids.length === 0) throw fileMissing();
  expectFileCount(ids);
  const { files: stored } = await readDraft(services, actor);
  const lookedUp = await lookUpFiles(services, actor.workspace, [...new Set(ids)], { files: stored, isReview: true });
  const [reason] = lookedUp.flatMap(({ problem }) => problem ?? []);
  if (reason !== undefined) {
    const refused = lookedUp.filter(({ problem }) => problem === reason).map(({ id }) => id);
    throw filesRefused(refused, reason);
  }
  const gone = lookedUp.filter(({ file }) => file === undefined).map(({ id }) => id);
  if (gone.length > 0 && repeats === undefined) throw filesUnavailable(gone);
  const goneNames = (repeats?.details.files ?? []).filter(({ id }) => gone.includes(id)).map(({ name }) => name);
  const present = lookedUp.flatMap(({ id, file }) => (file === undefined ? [] : [{ id, file }]));
  if (present.length === 0) throw filesGone(goneNames);
  const names = uniqueNames(present.map(({ file }) => file.name));
  const hashes = await hashSnippets(services, actor.workspace, present);
  const files = present.map(({ id, file }, index) => {
    const { name: originalName, size, stamp } = file;
    return { id, name: names[index] ?? '', originalName, size, stamp, sha256: hashes.get(id) };
  });
  return { files, gone: goneNames };
}

/** The SHA-256 of each snippet, by file id: only its content shows whether it was edited after the review. */
async function hashSnippets(
  { sources }: Pick<Services, 'sources'>,
  workspace: string,
  files: readonly { id: string; file: SourceFile }[],
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  const signal = AbortSignal.timeout(bounds.snippetsMs);
  for (const { id, file } of files.filter(({ file: { isSnippet } }) => isSnippet)) {
    const hash = createHash('sha256');
    try {
      for await (const chunk of await sources.open(workspace, id, signal)) hash.update(chunk);
    } catch (error) {
      throw contentUnreadable(file.name, isDroplineError(error) ? error.message : 'Try again later.', error);
    }
    hashes.set(id, hash.digest('hex'));
  }
  return hashes;
}
