import { createFieldErrors, DroplineError } from '../../../../errors.ts';
import { uniqueNames } from '../../../common/names.ts';
import type { Actor, Services } from '../../../common/services.ts';
import type { Chosen } from '../../../contacts/list/ids.ts';
import { contactsOf, type RecentChange, recentlyChanged } from '../../../contacts/operations.ts';
import { expectScannable } from '../../../scanning/operations.ts';
import { expectAllowed } from '../../../settings/permission.ts';
import { expectFilesAllowed } from '../../../settings/policies/checks.ts';
import { lookUpFiles } from '../../../staging/operations.ts';
import { readDraft } from '../../../staging/repository.ts';
import { type ApprovalNotice, approvalNotice } from '../../approval/checks.ts';
import { expectFileCount, expectRecipients, expectTimeAllowed } from '../../checks.ts';
import { type EarlierAttempt, earlierAttempts } from '../../duplicates.ts';
import { recipientsInHistory } from '../../history/operations.ts';
import { freeze } from '../../operations.ts';
import type { FrozenFile, FrozenRecipient, OpenTransfer } from '../../repository.ts';
import { sendKind } from './kind.ts';

export interface SendDraft extends Chosen {
  /** Ids that `Services.sources` can open. */
  files: readonly string[];
  message: string;
  timeToLive: number;
  /** The unsent transfer that this one retries. */
  after?: string;
  /** Errors of fields that couldn't be read. They are thrown with those of the other fields. */
  errors?: readonly DroplineError[];
}

export interface Review {
  /** The id to confirm with; works once. */
  confirmation: string;
  receivers: (FrozenRecipient & {
    /** Undefined if the history couldn't be read. */
    isFirstTime: boolean | undefined;
    changed: RecentChange | undefined;
  })[];
  /** False if there are more contact changes than the review reads. */
  hasAllChanges: boolean;
  files: (FrozenFile & { originalName: string })[];
  totalBytes: number;
  message: string;
  timeToLive: number;
  /** The transfer that this one could duplicate. */
  earlier: EarlierAttempt | undefined;
  /** Set if another person has to approve it. */
  approval?: ApprovalNotice | undefined;
}

/** Freezes recipients and files for the review. Only what the review shows will be sent. */
export async function prepareSend(services: Services, actor: Actor, entered: SendDraft): Promise<Review> {
  const { settings } = await expectAllowed(services, actor, 'send');
  const { workspace } = actor;
  const lists = await contactsOf(services, workspace, { fresh: true });
  const errors = createFieldErrors(entered.errors);
  const contacts = errors.check(() => expectRecipients(settings, lists, entered, 'recipient')) ?? [];
  errors.check(() => expectTimeAllowed(settings, entered.timeToLive));
  const files = (await errors.checkAsync(() => expectFiles(services, actor, entered.files))) ?? [];
  errors.check(() => expectFilesAllowed(settings.policies, files));
  errors.check(() => expectScannable(services, settings.policies, files));
  errors.throwIfAny();
  const receivers = contacts.map(({ email, number, nick, json }) => ({ email, number, nick, json }));
  const { message, timeToLive } = entered;
  const frozenFiles = files.map(({ originalName: _, ...file }) => file);
  const earlier = await earlierAttempts(services, actor, 'dispatch', { receivers, files: frozenFiles });
  const emails = receivers.map(({ email }) => email);
  const [earlierRecipients, recent] = await Promise.all([
    recipientsInHistory(services, workspace, emails),
    recentlyChanged(services, workspace, emails),
  ]);
  const reviewed = withMarks(receivers, earlierRecipients, recent.changes);
  const hasNewRecipient = earlierRecipients && reviewed.some(({ isFirstTime }) => isFirstTime);
  const details = {
    receivers,
    files: frozenFiles,
    message,
    timeToLive,
    removeForeign: [],
    ...(earlier.length === 0 ? {} : { earlier: earlier.map(({ id }) => id) }),
    ...(entered.after === undefined ? {} : { after: entered.after }),
    ...(hasNewRecipient === undefined ? {} : { hasNewRecipient }),
  };
  const approval = await approvalNotice(services, settings, actor, 'dispatch', details);
  const confirmation = await freeze(services, actor, sendKind, details, { chosen: entered });
  return {
    confirmation,
    receivers: reviewed,
    hasAllChanges: recent.isAll,
    files,
    totalBytes: files.reduce((sum, { size }) => sum + size, 0),
    message,
    timeToLive,
    earlier: earlier[0],
    approval,
  };
}

/** Adds to each recipient whether they are new and whether their contact was changed. */
function withMarks(
  receivers: readonly FrozenRecipient[],
  earlierRecipients: ReadonlySet<string> | undefined,
  changes: ReadonlyMap<string, RecentChange>,
): Review['receivers'] {
  return receivers.map((receiver) => ({
    ...receiver,
    isFirstTime: earlierRecipients === undefined ? undefined : !earlierRecipients.has(receiver.email.toLowerCase()),
    changed: changes.get(receiver.email.toLowerCase()),
  }));
}

/** The review of a transfer that was already confirmed, with the current marks. */
export async function reviewOfTransfer(services: Services, { id, workspace, details }: OpenTransfer): Promise<Review> {
  const { receivers, files, message, timeToLive } = details;
  const emails = receivers.map(({ email }) => email);
  const [earlierRecipients, recent] = await Promise.all([
    recipientsInHistory(services, workspace, emails),
    recentlyChanged(services, workspace, emails),
  ]);
  return {
    confirmation: id,
    receivers: withMarks(receivers, earlierRecipients, recent.changes),
    hasAllChanges: recent.isAll,
    files: files.map((file) => ({ ...file, originalName: file.name })),
    totalBytes: files.reduce((sum, { size }) => sum + size, 0),
    message,
    timeToLive,
    earlier: undefined,
  };
}

async function expectFiles(services: Services, actor: Actor, ids: readonly string[]): Promise<Review['files']> {
  if (ids.length === 0) throw new DroplineError('invalid', 'Choose at least one file.', { field: 'files' });
  expectFileCount(ids);
  const { files } = await readDraft(services, actor);
  const found = await lookUpFiles(services, actor.workspace, [...new Set(ids)], { files, isReview: true });
  const [reason] = found.flatMap(({ problem }) => problem ?? []);
  if (reason !== undefined) {
    const refused = found.filter(({ problem }) => problem === reason).map(({ id }) => id);
    throw new DroplineError('invalid', reason, { field: 'files', names: refused });
  }
  const gone = found.filter(({ file }) => file === undefined).map(({ id }) => id);
  if (gone.length > 0) {
    const message =
      gone.length === 1 ? 'A file is no longer available.' : `${gone.length} files are no longer available.`;
    throw new DroplineError('not-found', message, { field: 'files', names: gone });
  }
  const names = uniqueNames(found.map(({ file }) => file?.name ?? ''));
  return found.flatMap(({ id, file }, index) =>
    file === undefined
      ? []
      : [{ id, name: names[index] ?? '', originalName: file.name, size: file.size, stamp: file.stamp }],
  );
}
