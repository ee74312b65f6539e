import { DroplineError } from '../../../lib/errors.ts';

export const reviewExpired = () => new DroplineError('not-found', 'This review has expired. Review it again.');

export const reviewUsed = () => new DroplineError('used', "Already confirmed. It's sent only once.");

export const messageWithoutFiles = () => new DroplineError('invalid', 'This message has no files.');

export const noAdminReached = () => new DroplineError('no-channel', "I couldn't reach an admin.");

export const senderPresent = () =>
  new DroplineError('not-allowed', 'The sender can use Dropline again, and decides about this transfer.');

export const nothingBlocked = () => new DroplineError('not-found', 'No transfer is blocked by unexpected files.');

// Why a review is refused.

export const fileMissing = () => new DroplineError('invalid', 'Choose at least one file.', { field: 'files' });

/** @param ids Slack returns no name for a refused or deleted file; see `fileProblem` */
export const filesRefused = (ids: readonly string[], reason: string) =>
  new DroplineError('invalid', reason, { field: 'files', names: ids });

export const filesUnavailable = (ids: readonly string[]) =>
  new DroplineError(
    'not-found',
    ids.length === 1 ? 'A file is no longer available.' : `${ids.length} files are no longer available.`,
    { field: 'files', names: ids },
  );

/** One of the two errors above, with the names that the form has for the files. `namesText`: the names as a text. */
export const fileProblem = (cause: DroplineError, names: readonly string[], namesText: string) =>
  new DroplineError(
    cause.code,
    cause.code === 'not-found'
      ? `No longer in Slack: ${namesText}. Remove it and review again.`
      : `${namesText}: ${cause.message}`,
    { field: 'staged', names, cause },
  );

// Why the job ends a transfer.

/** Malware was found in the file, it couldn't be scanned, or its content isn't allowed. */
export const fileBlocked = (name: string, cause: DroplineError) =>
  new DroplineError(cause.code, `${cause.message} Nothing was sent.`, { names: [name], cause });

export const uploadFailed = (code: 'empty-file' | 'file-failed', name: string, reason: string, cause: unknown) =>
  new DroplineError(code, `“${name}” couldn't be uploaded, so nothing was sent. ${reason}`, { names: [name], cause });

export const uploadsDisappeared = (names: readonly string[]) =>
  new DroplineError(
    'changed',
    `Files disappeared from the account during the upload: ${names.join(', ')}. Someone else uses the account and could have sent them. Check the history. Dropline sent nothing.`,
    { names },
  );

export const unexpectedFiles = (names: readonly string[]) =>
  new DroplineError(
    'unexpected-files',
    `Unexpected files on the account blocked this transfer: ${names.join(', ')}. They would be sent too, so nothing was sent.`,
    { names },
  );
