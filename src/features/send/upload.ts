import { DroplineError, isDroplineError } from '../../errors.ts';
import type { Exchange, UploadedFile } from '../../exchange/index.ts';
import { hasErrorMessage } from '../error-message.ts';
import type { Phase, Services } from '../services.ts';
import type { FrozenFile, OpenTransfer } from '../transfers/repository.ts';
import { uploadsOf } from '../transfers/uploads.ts';
import { unexpectedFiles } from './checks.ts';

type Tell = (phase: Phase, file: number, bytes: number) => void;

/** One after the other, looking after each what the service made of it. Resolves with the entries as the service has them. */
export async function uploadAll(
  services: Services,
  exchange: Exchange,
  { workspace, details: { files } }: OpenTransfer,
  signal: AbortSignal,
  tell: Tell,
): Promise<UploadedFile[]> {
  const uploads = uploadsOf(services.store);
  const { account } = exchange;
  const given: UploadedFile[] = [];
  let before = 0;
  for (const [index, file] of files.entries()) {
    const progress = (bytes: number) => tell('uploading', index + 1, before + bytes);
    progress(0);
    await uploads.note(workspace, account, file.name);
    await uploadOne(services, exchange, workspace, file, signal, progress);
    const listed = await exchange.listFiles();
    const [fresh, ...more] = without(listed, given);
    const gone = without(given, listed);
    // One file, one new entry: it is ours, under whatever name. With more than one only the name could tell, and a
    // stranger's file may have it.
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

/** The last look before the call that sends everything that is there. */
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

/** Entries of one list that the other does not have just so: another size under the same name is another file. */
function without(entries: readonly UploadedFile[], others: readonly UploadedFile[]): UploadedFile[] {
  const textOf = ({ name, size, type }: UploadedFile) => JSON.stringify([name, size, type]);
  const left = others.map(textOf);
  return entries.filter((entry) => {
    const at = left.indexOf(textOf(entry));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

export function progressOf({ notifier }: Services, transfer: OpenTransfer): Tell {
  const { files } = transfer.details;
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  return (phase, file, bytes) => notifier.progress(transfer, { phase, file, files: files.length, bytes, totalBytes });
}
