import type { Exchange, UploadedFile } from '../../../exchange/index.ts';
import { type DroplineError, isDroplineError } from '../../../lib/errors.ts';
import type { Digest } from '../../../lib/hashed.ts';
import { hasErrorMessage } from '../../common/audited.ts';
import type { Phase, Services } from '../../common/services.ts';
import { expectContentAllowed, relayScanned, type ScanResult } from '../../scanning/operations.ts';
import { expectSameBytes, expectUnchanged } from '../checks.ts';
import { subtract } from '../history/compare.ts';
import { type Send, sizeOfAll, type TransferFile, type TransferProgress } from '../transfer.ts';
import { cleanUp, ensureFileRemoved } from '../uploads/operations.ts';
import { uploadsIn } from '../uploads/repository.ts';
import { fileBlocked, unexpectedFiles, uploadFailed, uploadsDisappeared } from './errors.ts';

type ReportProgress = (phase: Phase, file: number, bytes: number) => void;

export interface Uploads {
  /** The files as the service lists them. */
  uploaded: UploadedFile[];
  /** Undefined if there is no scanner. */
  scan: TransferProgress['scan'];
}

/** Uploads and scans the files one by one, and checks after each that the service lists it. */
export async function uploadAll(
  services: Services,
  exchange: Exchange,
  transfer: Send,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<Uploads> {
  const uploads = uploadsIn(services.store);
  const { workspace, account, files } = transfer;
  const uploaded: UploadedFile[] = [];
  const results: ScanResult[] = [];
  let uploadedBytes = 0;
  for (const [index, file] of files.entries()) {
    const progress = (bytes: number) => report('uploading', index + 1, uploadedBytes + bytes);
    progress(0);
    await uploads.record(workspace, account, file.name);
    results.push(await uploadOne(services, exchange, transfer, file, signal, progress));
    const listed = await exchange.listFiles();
    const [newEntry, ...added] = entriesNotIn(listed, uploaded);
    const missing = entriesNotIn(uploaded, listed);
    // A single new entry is ours, whatever its name. With several, the name doesn't identify ours: an unexpected file
    // can have the same name.
    if (newEntry === undefined || added.length + missing.length > 0) {
      const unexpected = [newEntry, ...added].flatMap((entry) =>
        entry === undefined || entry.name === file.name ? [] : [entry],
      );
      throw changedFiles(unexpected, [...missing, ...(newEntry === undefined ? [file] : [])]);
    }
    if (newEntry.name !== file.name) await uploads.record(workspace, account, newEntry.name);
    uploaded.push(newEntry);
    uploadedBytes += file.size;
  }
  return { uploaded, scan: scanOf(files, results) };
}

function scanOf(files: readonly TransferFile[], results: readonly ScanResult[]): Uploads['scan'] {
  if (results.some(({ state }) => state === 'off')) return undefined;
  const unscanned = results.flatMap((result, index) =>
    result.state === 'not-scanned' ? [{ name: files[index]?.name ?? '', reason: result.reason }] : [],
  );
  return { clean: results.length - unscanned.length, unscanned };
}

async function uploadOne(
  services: Services,
  exchange: Exchange,
  { id: transfer, workspace, account }: Pick<Send, 'id' | 'workspace' | 'account'>,
  file: TransferFile,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<ScanResult> {
  const { id, name, size } = file;
  let checkError: unknown;
  try {
    const onDigest = (digest: Digest) => expectSameBytes(services, transfer, file, digest);
    return await relayScanned(services, { workspace, account, name, onDigest, signal }, async (tap) => {
      const open = async (uploadSignal: AbortSignal) => {
        await expectUnchanged(services, workspace, file, uploadSignal).catch((error: unknown) => {
          checkError = error;
          throw error;
        });
        const source = await services.sources.open(workspace, id, uploadSignal);
        return tap(await expectContentAllowed(services, { workspace, account }, file, source), size);
      };
      await exchange.upload({ name, size, open }, { onProgress });
    });
  } catch (error) {
    signal.throwIfAborted();
    if (checkError !== undefined) throw checkError;
    if (isDroplineError(error, 'changed')) throw error;
    if (isDroplineError(error, 'infected', 'not-scanned', 'not-allowed')) throw fileBlocked(name, error);
    const reason = hasErrorMessage(error) ? error.message : "It couldn't be read.";
    const code = isDroplineError(error, 'empty-file') ? 'empty-file' : 'file-failed';
    throw uploadFailed(code, name, reason, error);
  }
}

/** The last check before the call that sends everything on the account: it has our files and no others. */
export async function expectStillThere(exchange: Exchange, uploaded: readonly UploadedFile[]): Promise<void> {
  const listed = await exchange.listFiles();
  const [added, missing] = [entriesNotIn(listed, uploaded), entriesNotIn(uploaded, listed)];
  if (added.length + missing.length > 0) throw changedFiles(added, missing);
}

function changedFiles(added: readonly { name: string }[], missing: readonly { name: string }[]): DroplineError {
  const namesOf = (files: readonly { name: string }[]) => files.map(({ name }) => name);
  return added.length > 0 ? unexpectedFiles(namesOf(added)) : uploadsDisappeared(namesOf(missing));
}

/** The entries without an exact match in `others`. A file with the same name but another size doesn't match. */
function entriesNotIn(entries: readonly UploadedFile[], others: readonly UploadedFile[]): UploadedFile[] {
  const textOf = ({ name, size, type }: UploadedFile) => JSON.stringify([name, size, type]);
  return subtract(entries, others.map(textOf), textOf);
}

export function progressOf({ notifier }: Services, transfer: Send): ReportProgress {
  const { files } = transfer;
  const totalBytes = sizeOfAll(files);
  return (phase, file, bytes) => notifier.progress(transfer, { phase, file, files: files.length, bytes, totalBytes });
}

/**
 * Empties the account, because everything on it would be sent. Deletes our own files and the unexpected ones that an
 * admin chose to delete, and rejects if there are others. Also clears the recipients of an earlier transfer: otherwise
 * a delayed call of that transfer could send them the new files.
 */
export async function emptyAccount(services: Services, exchange: Exchange, { progress }: Send): Promise<void> {
  const { unexpected } = await cleanUp(services, exchange);
  const allowed = new Set(progress.removeUnexpected);
  for (const name of unexpected) if (allowed.has(name)) await ensureFileRemoved(exchange, name);
  const names = unexpected.filter((name) => !allowed.has(name));
  if (names.length > 0) throw unexpectedFiles(names);
}
