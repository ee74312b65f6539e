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
import { expectFileCount, expectRecipients, expectTimeAllowed } from '../../checks.ts';
import { type EarlierAttempt, earlierAttempts } from '../../duplicates.ts';
import { readWholeHistory } from '../../history/operations.ts';
import { freeze } from '../../operations.ts';
import type { FrozenFile, FrozenRecipient } from '../../repository.ts';
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
  const details = {
    receivers,
    files: frozenFiles,
    message,
    timeToLive,
    removeForeign: [],
    ...(earlier.length === 0 ? {} : { earlier: earlier.map(({ id }) => id) }),
    ...(entered.after === undefined ? {} : { after: entered.after }),
  };
  const confirmation = await freeze(services, actor, sendKind, details, { chosen: entered });
  const emails = receivers.map(({ email }) => email);
  const [earlierRecipients, recent] = await Promise.all([
    recipientsInHistory(services, workspace, emails),
    recentlyChanged(services, workspace, emails),
  ]);
  return {
    confirmation,
    receivers: receivers.map((receiver) => ({
      ...receiver,
      isFirstTime: earlierRecipients === undefined ? undefined : !earlierRecipients.has(receiver.email.toLowerCase()),
      changed: recent.changes.get(receiver.email.toLowerCase()),
    })),
    hasAllChanges: recent.isAll,
    files,
    totalBytes: files.reduce((sum, { size }) => sum + size, 0),
    message,
    timeToLive,
    earlier: earlier[0],
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

/** The addresses that have received files from this account; undefined if the history can't be read. */
async function recipientsInHistory(
  services: Services,
  workspace: string,
  emails: readonly string[],
): Promise<Set<string> | undefined> {
  const addresses = new Set(emails.map((email) => email.toLowerCase()));
  const earlierRecipients = new Set<string>();
  try {
    await readWholeHistory(services, workspace, {
      take({ entry: { receivers, files } }) {
        if (files.length === 0 || earlierRecipients.size === addresses.size) return;
        for (const { email = '' } of receivers) {
          const key = email.toLowerCase();
          if (addresses.has(key)) earlierRecipients.add(key);
        }
      },
    });
    return earlierRecipients;
  } catch (error) {
    services.log.warn({ workspace, err: error }, 'could not determine new recipients');
    return undefined;
  }
}
