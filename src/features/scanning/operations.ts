/**
 * Scans files for malware while they are relayed. Why nothing unscanned is sent or delivered unless the file rules
 * allow it:
 *
 * - Only three places relay the content of a file: the upload to the service (transfers/send/upload.ts), and the
 *   delivery to Slack and to a browser, of received files (inbox/download/operations.ts) and of files that wait for approval
 *   (transfers/copies/operations.ts). All three read it through `relayScanned`, so the scanner gets exactly the bytes
 *   that are passed on. There is no second read that could return other bytes.
 * - A file counts as clean only if clamd answered `OK` after its last byte. Unless clamd found malware, everything else
 *   (scanner down, slow or gone, unknown answer, too large) is "not scanned". That is an error, unless the workspace's
 *   file rules allow it. With SCAN_REQUIRED, it is always an error, in every process of the deployment: the requirement
 *   is in the database. A process without a scanner then relays nothing.
 * - `relayScanned` rejects before the step that makes the file available. A transfer is committed by createdrop, which
 *   comes after all uploads; an error ends it unsent and deletes its uploads. Slack shows a file only after
 *   completeUploadExternal, which comes after the step that relays. A browser gets the last 64 KiB only after the
 *   verdict; without them its download fails, because the response has a length or lacks the last chunk.
 * - After a crash the whole file is relayed and scanned again: verdicts aren't stored.
 * - The exception is an infected inbox file, which an admin can fetch by link after a warning (inbox/download/page.ts).
 */
import type { Readable } from 'node:stream';
import { bounds } from '../../lib/bounds.ts';
import { type DroplineError, isDroplineError } from '../../lib/errors.ts';
import { type Digest, hashed } from '../../lib/hashed.ts';
import {
  cancelled,
  kindOf,
  notScanned,
  readStart,
  type Scan,
  ScannedStream,
  type Scanner,
  tooLarge,
  type Verdict,
} from '../../scan/index.ts';
import type { Desk } from '../../store/index.ts';
import type { Services } from '../common/services.ts';
import { expectKindAllowed } from '../settings/policies/checks.ts';
import { contentChanged, contentUnreadable } from '../settings/policies/errors.ts';
import { isScanRequired } from '../settings/policies/repository.ts';
import { type FileRules, readSettings, type Settings } from '../settings/repository.ts';
import { downloadIncomplete, InfectedError, notScannedError, scansBusy, tooLargeToScan } from './errors.ts';

export interface RelayedFile extends Desk {
  name: string;
  /** The person whose browser receives it: then the last bytes wait for the verdict. */
  browserOf?: string;
  /** Gets the digest of what was read, before the last bytes are passed on. If it rejects, the relay fails. */
  onDigest(digest: Digest): void | Promise<void>;
  signal: AbortSignal;
}

/** The result for a file that was allowed. `off`: there is no scanner. */
export type ScanResult = { state: 'clean' } | { state: 'off' } | { state: 'not-scanned'; reason: string };

/** Puts the scanner between a stream and its reader. Called again if the relay restarts. */
export type Tap = (stream: Readable, size: number | undefined) => Readable;

/** What the audit says of an infected file. */
export const infectedScan = (signature: string) => ({ clean: 0, unscanned: [], infected: signature });

/** A file on its way to a person. */
export interface DeliveredFile {
  name: string;
  /** Undefined if the service sends it in chunks. */
  size: number | undefined;
  /** Fails unless the last byte arrives and the file passes the malware scan. */
  stream: Readable;
}
export type Sink = (file: DeliveredFile) => Promise<void>;

/** Passes a file to a sink, through the scanner. Rejects if the sink didn't read all of it. */
export async function passTo(
  sink: Sink,
  { name, size }: Pick<DeliveredFile, 'name' | 'size'>,
  source: Readable,
  tap: Tap,
): Promise<void> {
  // The stream can fail before the sink listens. Without a listener, the error would end this process.
  source.on('error', () => {});
  try {
    const stream = tap(source, size);
    await sink({ name, size, stream });
    // The sink can resolve without reading everything, so check that the stream has ended.
    if (!stream.readableEnded) throw downloadIncomplete(name);
  } finally {
    source.destroy();
  }
}

/** Relays a file through the scanner. Rejects if it is infected, or if it wasn't scanned and such files are blocked. */
export async function relayScanned(
  services: Services,
  file: RelayedFile,
  relayTo: (tap: Tap) => Promise<void>,
): Promise<ScanResult> {
  const { scanner } = services;
  const relay: typeof relayTo = (tap) => relayTo((stream, size) => tap(hashed(stream, file.onDigest), size));
  const isRequired = await isScanRequired(services);
  if (scanner === undefined) {
    if (isRequired) {
      logVerdict(services, file, noScanner);
      throw notScannedError(file.name, noScanner.reason);
    }
    await relay((stream) => stream);
    return { state: 'off' };
  }
  const { unscanned } = await readSettings(services, file);
  const isBlocked = isRequired || unscanned === 'block';
  const errorFor = (verdict: Verdict) => errorOf(file.name, verdict, isBlocked);
  const release = await acquireSlot(services, scanner, file);
  const verdict = await relayThrough(scanner, file, relay, errorFor, release);
  scanner.count(verdict);
  logVerdict(services, file, verdict);
  const error = errorFor(verdict);
  if (error !== undefined) throw error;
  return verdict.state === 'not-scanned' ? verdict : { state: 'clean' };
}

/** Waits until a scan can start. A browser doesn't wait for long: the readers of other links can be slow. */
async function acquireSlot(
  { timing }: Services,
  scanner: Scanner,
  { workspace, browserOf, signal }: RelayedFile,
): Promise<() => void> {
  if (browserOf === undefined) return scanner.acquire(workspace, signal);
  const timeout = AbortSignal.timeout(timing.scanSlotMs);
  return scanner.acquire(workspace, AbortSignal.any([signal, timeout]), browserOf).catch((error: unknown) => {
    throw error === timeout.reason ? scansBusy() : error;
  });
}

/** Relays a file through the scanner. Resolves with the verdict, also if the verdict stopped the relay. */
async function relayThrough(
  scanner: Scanner,
  { browserOf, signal }: RelayedFile,
  relay: (tap: Tap) => Promise<void>,
  errorFor: (verdict: Verdict) => DroplineError | undefined,
  release: () => void,
): Promise<Verdict> {
  const attempts: Attempt[] = [];
  const cancelScan = () => attempts.at(-1)?.scan?.cancel();
  const tap: Tap = (stream, size = 0) => {
    cancelScan();
    if (size > scanner.maxBytes) {
      release();
      const error = errorFor(tooLarge);
      attempts.push({ verdict: Promise.resolve(tooLarge), stoppedBy: error && tooLarge });
      if (error !== undefined) throw error;
      return stream;
    }
    const scan = scanner.start();
    const current: Attempt = { scan, verdict: scan.verdict };
    attempts.push(current);
    void scan.verdict.then(release);
    return new ScannedStream(stream, scan, {
      heldBytes: browserOf === undefined ? 0 : bounds.heldBytes,
      errorFor(verdict) {
        const error = errorFor(verdict);
        if (error !== undefined && verdict !== cancelled) current.stoppedBy = verdict;
        return error;
      },
    });
  };
  signal.addEventListener('abort', cancelScan);
  try {
    await relay(tap);
    const verdict = (await attempts.at(-1)?.verdict) ?? notScanned('The file was not read.');
    if (verdict === cancelled) signal.throwIfAborted();
    return verdict;
  } catch (error) {
    const stoppedBy = attempts.at(-1)?.stoppedBy;
    if (stoppedBy !== undefined) return stoppedBy;
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancelScan);
    cancelScan();
    release();
  }
}

interface Attempt {
  scan?: Scan;
  verdict: Promise<Verdict>;
  /** The verdict that stopped the relay. */
  stoppedBy?: Verdict;
}

const noScanner = {
  state: 'not-scanned',
  reason: 'Dropline requires a malware scanner, and this process has none.',
} as const;

function errorOf(name: string, verdict: Verdict, isBlocked: boolean): DroplineError | undefined {
  if (verdict.state === 'infected') return new InfectedError(name, verdict.signature);
  if (verdict.state === 'clean' || !isBlocked) return undefined;
  return notScannedError(name, verdict.reason);
}

/** Doesn't log the file's name, which the audit entry has. */
function logVerdict({ log }: Services, { workspace }: RelayedFile, verdict: Verdict): void {
  if (verdict.state === 'infected') log.warn({ workspace, signature: verdict.signature }, 'malware found');
  if (verdict.state === 'not-scanned') log.warn({ workspace, reason: verdict.reason }, 'file not scanned');
}

/** If unscanned files are blocked, rejects files that are too large to scan, before they are confirmed or uploaded. */
export async function expectScannable(
  services: Pick<Services, 'store' | 'scanner'>,
  { unscanned }: FileRules,
  files: readonly { name: string; size: number }[],
): Promise<void> {
  const { scanner } = services;
  if (scanner === undefined || (unscanned !== 'block' && !(await isScanRequired(services)))) return;
  const names = files.filter(({ size }) => size > scanner.maxBytes).map(({ name }) => name);
  if (names.length > 0) throw tooLargeToScan(names, scanner.maxBytes);
}

interface ReviewedFile {
  id: string;
  name: string;
  kind?: string;
}

const needsKinds = ({ fileTypes, approvalTypes }: Settings) => fileTypes !== 'any' || approvalTypes.length > 0;

/** Adds the kinds of the files if a rule depends on them. Rejects kinds that the file rules don't allow. */
export async function addCheckedKinds<F extends ReviewedFile>(
  { sources, typeReads }: Pick<Services, 'sources' | 'typeReads'>,
  workspace: string,
  settings: Settings,
  files: readonly F[],
): Promise<F[]> {
  if (!needsKinds(settings)) return [...files];
  const signal = AbortSignal.timeout(bounds.slackFileMs);
  const readKind = async (id: string) => {
    const { start, stream } = await readStart(await sources.open(workspace, id, signal));
    stream.on('error', () => {}).destroy();
    return kindOf(start);
  };
  const reads = files.map(({ id, name }) =>
    typeReads
      .run(workspace, () => readKind(id), signal)
      .catch((error: unknown) => {
        throw contentUnreadable(name, isDroplineError(error) ? error.message : 'Try again later.', error);
      }),
  );
  const kinds = await Promise.all(reads);
  for (const [index, { name }] of files.entries()) await expectKindAllowed(settings, name, kinds[index] ?? 'binary');
  return files.map((file, index) => ({ ...file, kind: kinds[index] }));
}

/**
 * Rejects a file whose first bytes show a type that the file rules don't allow, or another one than at the review. The
 * returned stream has all bytes.
 */
export async function expectContentAllowed(
  services: Pick<Services, 'store'>,
  desk: Desk,
  { name, kind: reviewedKind }: Omit<ReviewedFile, 'id'>,
  source: Readable,
): Promise<Readable> {
  const settings = await readSettings(services, desk);
  if (!needsKinds(settings) && reviewedKind === undefined) return source;
  try {
    const { start, stream } = await readStart(source);
    const kind = await kindOf(start);
    await expectKindAllowed(settings, name, kind);
    if (reviewedKind !== undefined && kind !== reviewedKind) throw contentChanged(name);
    return stream;
  } catch (error) {
    source.on('error', () => {}).destroy();
    throw error;
  }
}

/** Asks the scanner for its version. Undefined if there is no scanner, and none is required. */
export async function scannerState(
  services: Pick<Services, 'store' | 'scanner'>,
): Promise<{ version: string } | { problem: string } | undefined> {
  const { scanner } = services;
  if (scanner === undefined)
    return (await isScanRequired(services)) ? { problem: "it's required, but CLAMD_HOST isn't set" } : undefined;
  try {
    return { version: await scanner.readVersion() };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
