import { bounds } from '../../../lib/bounds.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { digestOf } from '../../../lib/hashed.ts';
import type { Desk } from '../../../store/index.ts';
import { uniqueNames } from '../../common/names.ts';
import type { Actor, Services, SourceFile } from '../../common/services.ts';
import { type RecentChange, recentlyChanged } from '../../contacts/edit/operations.ts';
import { addCheckedKinds, expectScannable } from '../../scanning/operations.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { expectFilesAllowed } from '../../settings/policies/checks.ts';
import { contentUnreadable } from '../../settings/policies/errors.ts';
import { lookUpFiles } from '../../staging/operations.ts';
import { readDraft } from '../../staging/repository.ts';
import { expectFileCount } from '../checks.ts';
import { filesGone } from '../errors.ts';
import { recipientsInHistory } from '../history/operations.ts';
import type { TransferServices } from '../kind.ts';
import { checkEntered, type Entered, type StoredReview, storeChecked } from '../lifecycle/review.ts';
import type { Send, SendContent, TransferFile, TransferRecipient } from '../transfer.ts';
import { fileMissing, filesRefused, filesUnavailable } from './errors.ts';

export interface SendDraft extends Entered {
  /** Ids that `Services.sources` can open. */
  files: readonly string[];
  /** The unsent transfer that this one retries. `repeats` is the same transfer then. */
  after?: string;
  /** The transfer that this one repeats. What is no longer available is left out, with a notice. */
  repeats?: Send;
}

export interface Review extends StoredReview {
  recipients: (TransferRecipient & {
    /** Undefined if the history couldn't be read. */
    isFirstTime: boolean | undefined;
    changed: RecentChange | undefined;
  })[];
  /** False if there are more contact changes than the review reads. */
  hasAllChanges: boolean;
  files: (TransferFile & { originalName: string })[];
  message: string;
  expiresAfter: number;
  expiryDate?: string;
  /** When it goes, once that is confirmed. */
  plannedFor?: number;
  /** Who reads the review; the sender by default. */
  reader?: 'sender' | 'approver';
  /** What a repeated transfer leaves out or changes. */
  notices?: string[];
}

/** Stores recipients and files with the review. Only what the review shows will be sent. */
export async function prepareSend(services: TransferServices, actor: Actor, entered: SendDraft): Promise<Review> {
  const { after, repeats, message } = entered;
  const access = await expectAllowed(services, actor, 'send');
  const { settings } = access;
  const isRepeat = repeats !== undefined;
  const checked = await checkEntered(services, actor, access.settings, entered, { noun: 'recipient', isRepeat });
  const { chosen, recipients, expiry, errors } = checked;
  const { files, gone } = (await errors.checkAsync(() => expectFiles(services, actor, entered))) ?? noFiles;
  errors.check(() => expectFilesAllowed(settings, files));
  await errors.checkAsync(() => expectScannable(services, settings, files));
  errors.throwIfAny();
  const sentFiles = files.map(({ originalName: _, ...file }) => file);
  const labels = await labelRecipients(services, actor, recipients);
  const content: SendContent = {
    kind: 'send',
    recipients,
    files: await addCheckedKinds(services, actor.workspace, access.settings, sentFiles),
    message,
    ...expiry,
    hasNewRecipient: labels.hasNewRecipient,
    after,
    repeats: repeats?.id,
  };
  const stored = await storeChecked(services, actor, access, content, chosen, repeats);
  const goneNotice = gone.length === 0 ? [] : [`No longer in Slack: ${gone.join(', ')}.`];
  return { ...stored, ...labels, files, message, ...expiry, notices: [...goneNotice, ...checked.notices] };
}

/** The problem with the files is among the errors. */
const noFiles = { files: [], gone: [] };

/** The review of a transfer that was already confirmed. New recipients and changed contacts are labelled as of now. */
export async function reviewOfTransfer(services: TransferServices, transfer: Send): Promise<Review> {
  const { id, recipients, files, message, expiresAfter, expiryDate, plannedFor } = transfer;
  const labels = await labelRecipients(services, transfer, recipients);
  const shownFiles = files.map((file) => ({ ...file, originalName: file.name }));
  const shown = { files: shownFiles, message, expiresAfter, expiryDate, plannedFor };
  return { ...labels, ...shown, reviewId: id, earlier: undefined };
}

/** Adds to each recipient whether they are new and whether their contact was changed. */
async function labelRecipients(services: TransferServices, desk: Desk, recipients: TransferRecipient[]) {
  const emails = recipients.map(({ email }) => email);
  const [earlier, recent] = await Promise.all([
    recipientsInHistory(services, desk, emails),
    recentlyChanged(services, desk, emails),
  ]);
  const labelled = recipients.map((recipient) => ({
    ...recipient,
    isFirstTime: earlier && !earlier.has(recipient.email.toLowerCase()),
    changed: recent.changes.get(recipient.email.toLowerCase()),
  }));
  const hasNewRecipient = earlier && labelled.some(({ isFirstTime }) => isFirstTime);
  return { recipients: labelled, hasAllChanges: recent.isAll, hasNewRecipient };
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
  const goneNames = (repeats?.files ?? []).filter(({ id }) => gone.includes(id)).map(({ name }) => name);
  const present = lookedUp.flatMap(({ id, file }) => (file === undefined ? [] : [{ id, file }]));
  if (present.length === 0) throw filesGone(goneNames);
  const names = uniqueNames(present.map(({ file }) => file.name));
  const hashes = await hashSnippets(services, actor.workspace, present);
  const files = present.map(({ id, file }, index) => {
    const { name: originalName, size, stamp, isShared } = file;
    const isUnshared = isShared ? undefined : true;
    return { id, name: names[index] ?? '', originalName, size, stamp, sha256: hashes.get(id), isUnshared };
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
    try {
      hashes.set(id, (await digestOf(await sources.open(workspace, id, signal))).sha256);
    } catch (error) {
      throw contentUnreadable(file.name, isDroplineError(error) ? error.message : 'Try again later.', error);
    }
  }
  return hashes;
}
