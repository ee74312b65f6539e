import { DroplineError, isDroplineError } from '../../../../errors.ts';
import type { Exchange, UploadedFile } from '../../../../exchange/index.ts';
import { hasErrorMessage } from '../../../common/error-message.ts';
import type { Phase, Services } from '../../../common/services.ts';
import type { FrozenFile, OpenTransfer } from '../../repository.ts';
import { uploadsIn } from '../../uploads.ts';
import { unexpectedFiles } from './checks.ts';

type ReportProgress = (phase: Phase, file: number, bytes: number) => void;

/** Uploads one file at a time and checks each in the service's list. Resolves with the entries of that list. */
export async function uploadAll(
  services: Services,
  exchange: Exchange,
  { workspace, details: { files } }: OpenTransfer,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<UploadedFile[]> {
  const uploads = uploadsIn(services.store);
  const { account } = exchange;
  const given: UploadedFile[] = [];
  let before = 0;
  for (const [index, file] of files.entries()) {
    const progress = (bytes: number) => report('uploading', index + 1, before + bytes);
    progress(0);
    await uploads.note(workspace, account, file.name);
    await uploadOne(services, exchange, workspace, file, signal, progress);
    const listed = await exchange.listFiles();
    const [fresh, ...more] = without(listed, given);
    const gone = without(given, listed);
    // A single new entry is ours, under any name. With more than one, only the name could identify ours, and an
    // unexpected file can have the same name.
    if (fresh === undefined || more.length + gone.length > 0) {
      const strange = [fresh, ...more].flatMap((entry) =>
        entry === undefined || entry.name === file.name ? [] : [entry],
      );
      throw changedFiles(strange, [...gone, ...(fresh === undefined ? [file] : [])]);
    }
    if (fresh.name !== file.name) await uploads.note(workspace, account, fresh.name);
    given.push(fresh);
    before += file.size;
  }
  return given;
}

async function uploadOne(
  { sources }: Services,
  exchange: Exchange,
  workspace: string,
  { id, name, size }: FrozenFile,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  try {
    const open = (inner: AbortSignal) => sources.open(workspace, id, inner);
    await exchange.upload({ name, size, open }, { onProgress });
  } catch (error) {
    signal.throwIfAborted();
    const known = hasErrorMessage(error);
    const why = known ? error.message : 'It could not be read.';
    const code = isDroplineError(error, 'empty-file') ? 'empty-file' : 'file-failed';
    throw new DroplineError(code, `“${name}” could not be uploaded, so nothing was sent. ${why}`, {
      names: [name],
      cause: error,
    });
  }
}

/** The last check before the call that sends everything on the account. */
export async function expectStillThere(exchange: Exchange, given: readonly UploadedFile[]): Promise<void> {
  const listed = await exchange.listFiles();
  const [more, less] = [without(listed, given), without(given, listed)];
  if (more.length + less.length > 0) throw changedFiles(more, less);
}

function changedFiles(more: readonly { name: string }[], less: readonly { name: string }[]): DroplineError {
  if (more.length > 0) return unexpectedFiles(more.map(({ name }) => name));
  const names = less.map(({ name }) => name);
  const sentence = `Files disappeared from the account while they were being uploaded: ${names.join(', ')}. Another program or person uses it and may have sent them: look at the history. Dropline sent nothing.`;
  return new DroplineError('changed', sentence, { names });
}

/** Entries of one list without an exact match in the other: the same name with another size is another file. */
function without(entries: readonly UploadedFile[], others: readonly UploadedFile[]): UploadedFile[] {
  const textOf = ({ name, size, type }: UploadedFile) => JSON.stringify([name, size, type]);
  const left = others.map(textOf);
  return entries.filter((entry) => {
    const at = left.indexOf(textOf(entry));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

export function progressOf({ notifier }: Services, transfer: OpenTransfer): ReportProgress {
  const { files } = transfer.details;
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  return (phase, file, bytes) => notifier.progress(transfer, { phase, file, files: files.length, bytes, totalBytes });
}
