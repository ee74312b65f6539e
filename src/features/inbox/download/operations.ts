import { isExchangeError } from '../../../exchange/index.ts';
import { type Digest, hashed } from '../../../lib/hashed.ts';
import { type AuditDetails, type Desk, inTransaction } from '../../../store/index.ts';
import { audited, type OpenAuditEntry, recordEnd } from '../../common/audited.ts';
import { connectionOf, deskOf } from '../../common/connection.ts';
import { fileIdOf } from '../../common/ids.ts';
import type { Actor, Services } from '../../common/services.ts';
import { expectNotPaused } from '../../pause/checks.ts';
import { InfectedError } from '../../scanning/errors.ts';
import {
  infectedScan,
  passTo,
  type RelayedFile,
  relayScanned,
  type ScanResult,
  type Sink,
  type Tap,
} from '../../scanning/operations.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { expectDownloadable, hasDownloaded, infectionOf, isUsableUrl } from '../items/entries.ts';
import { fileGone, fileInfected } from '../items/errors.ts';
import { queueAnnouncement } from '../items/jobs.ts';
import { findItem, isPostedIn, itemsOf } from '../items/operations.ts';
import { expectSeen } from '../items/permission.ts';
import { itemsIn } from '../items/repository.ts';
import type { Scanned } from '../items/rows.ts';

interface File {
  url: string;
  name: string;
  /** Whether an admin wants it although it is infected. Then it isn't scanned again. */
  isInfected?: true;
}

/** Streams one file of an item to a browser. The sink resolves when the whole file has arrived. */
export function downloadFile(
  services: Services,
  actor: Actor,
  file: File,
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  return audited(services, actor, 'download', async (entry) => {
    const { addDetails, recordEffect, skipEntry } = entry;
    let digest: Digest | undefined;
    const onDigest = (read: Digest) => {
      digest = read;
      addDetails({ files: [{ name: file.name, ...read }] });
    };
    await streamFile(services, actor, file, sink, { signal, addDetails, browserOf: actor.person, onDigest });
    // The file has arrived, so the download must not fail.
    const recording = recordDownloaded(services, actor, { ...file, digest }, entry).catch(() => recordEffect());
    await recording.catch((error: unknown) => {
      services.log.error({ ...actor, action: 'download', outcome: 'done', err: error }, 'audit not written');
      skipEntry();
    });
  });
}

/**
 * Like `downloadFile`, for a sink that learns only later whether the file has arrived. Then call
 * `recordDownloadOutcome`.
 */
export const fetchFile = (
  services: Services,
  actor: Actor,
  file: File,
  sink: Sink,
  { signal, onDigest }: Pick<Streaming, 'signal' | 'onDigest'>,
) => streamFile(services, actor, file, sink, { signal, onDigest, addDetails: () => {} });

/** `earlierSha256`: of an earlier attempt of this download that read other bytes. */
type FetchedFile = Omit<File, 'isInfected'> & { sender?: string; digest?: Digest; earlierSha256?: string };

/** Records that a fetched file has arrived, or the problem that stopped it. Rejects if that isn't possible now. */
export async function recordDownloadOutcome(
  services: Services,
  actor: Actor,
  { url, name, sender, digest, earlierSha256 }: FetchedFile,
  problem?: unknown,
): Promise<void> {
  const details: AuditDetails<'download'> = { files: [{ name, ...digest }], sender };
  await recordEnd(services, actor, 'download', { details, problem }, async (entry) => {
    const isUnscanned = await wasUnscanned(services, actor, { url, name }).catch(() => false);
    if (isUnscanned) entry.addDetails({ scan: { clean: 0, unscanned: [{ name, reason: '' }] } });
    await recordDownloaded(services, actor, { url, name, digest, earlierSha256 }, entry);
  });
}

interface Streaming extends Pick<OpenAuditEntry<'download'>, 'addDetails'>, Pick<RelayedFile, 'signal' | 'onDigest'> {
  browserOf?: string;
}

async function streamFile(
  services: Services,
  actor: Actor,
  { url, name, isInfected }: File,
  sink: Sink,
  { signal, addDetails, browserOf, onDigest }: Streaming,
): Promise<void> {
  expectDownloadable(name);
  addDetails({ files: [{ name }] });
  const access = await expectAllowed(services, actor, isInfected === true ? 'admin' : 'download');
  const { workspace } = actor;
  await expectNotPaused(services, actor, 'downloads');
  const { exchange } = await connectionOf(services, actor);
  const items = itemsIn(services.store, workspace, exchange.account);
  // Only items recorded for this workspace: a URL alone gives no access.
  const recorded = isUsableUrl(url) ? await items.find(url) : undefined;
  const known = await expectSeen(services, workspace, access, recorded);
  const signature = infectionOf(known, name);
  if (signature !== undefined) addDetails({ scan: infectedScan(signature) });
  if (signature !== undefined && isInfected !== true) throw fileInfected(name, signature);
  // This also checks the token: a download couldn't distinguish the service's error page from a file.
  const { items: listed = [] } = await exchange.readInbox({ signal });
  const item = listed.find((other) => other.url === url && other.files.some((file) => file.name === name));
  if (item === undefined) throw fileGone();
  addDetails({ sender: item.sender });
  const relay = async (tap: Tap) => {
    const { size, stream } = await exchange.download({ url, name }, { signal }).catch((error: unknown) => {
      throw isExchangeError(error, 'not-found') ? fileGone() : error;
    });
    await passTo(sink, { name, size }, stream, tap);
  };
  if (isInfected === true) return relay((stream) => hashed(stream, onDigest));
  try {
    const result = await relayScanned(
      services,
      { workspace, account: exchange.account, name, browserOf, onDigest, signal },
      relay,
    );
    addDetails({ scan: auditScanOf(name, result) });
    if (result.state !== 'not-scanned') return;
    const scanned = { file: name, state: 'not-scanned' as const, detail: result.reason };
    // The file has arrived, so the download must not fail.
    await recordScan(services, actor, url, scanned).catch((error: unknown) => {
      services.log.warn({ ...actor, operation: 'download', err: error }, 'scan not recorded');
    });
  } catch (error) {
    if (!(error instanceof InfectedError)) throw error;
    addDetails({ scan: infectedScan(error.signature) });
    await recordInfected(services, actor, { url, name }, error.signature);
    throw fileInfected(name, error.signature);
  }
}

function auditScanOf(name: string, result: ScanResult): AuditDetails<'download'>['scan'] {
  if (result.state === 'off') return undefined;
  if (result.state === 'clean') return { clean: 1, unscanned: [] };
  return { clean: 0, unscanned: [{ name, reason: result.reason }] };
}

/** Stores the result with the item and updates its post. Resolves with false if it was stored before. */
async function recordScan(services: Services, actor: Actor, url: string, scanned: Scanned): Promise<boolean> {
  const desk = await deskOf(services, actor);
  const items = await itemsOf(services, desk);
  return inTransaction(services.store.pool, async (client) => {
    const isNew = await items.recordScan(client, url, scanned);
    if (isNew) await queueAnnouncement(services, desk, client, 'news');
    return isNew;
  });
}

/** Removes the label “Malware found” from a file. The next download scans the file again. */
export function removeInfectedMark(
  services: Services,
  admin: Actor,
  requested: { item: string; file: string } | undefined,
): Promise<string> {
  return audited(services, admin, 'remove infected mark', async ({ addDetails, record, skipEntry }) => {
    const access = await expectAllowed(services, admin, 'admin');
    if (requested === undefined) throw fileGone();
    const known = await findItem(services, admin, access, requested.item);
    const name = known.files.find((file) => fileIdOf(file) === requested.file);
    if (name === undefined) throw fileGone();
    addDetails({ files: [{ name }], sender: known.sender });
    const desk = await deskOf(services, admin);
    const items = await itemsOf(services, desk);
    await inTransaction(services.store.pool, async (client) => {
      const signature = await items.removeInfected(client, known.url, name);
      // A second click has nothing to remove and nothing to record.
      if (signature === undefined) return skipEntry();
      await record(client, { scan: infectedScan(signature) });
      await queueAnnouncement(services, desk, client, 'news');
    });
    return name;
  });
}

/** Whether the file was ever downloaded without a scan. */
export async function wasUnscanned(
  services: Services,
  desk: Desk,
  { url, name }: Omit<File, 'isInfected'>,
): Promise<boolean> {
  const known = await (await itemsOf(services, desk)).find(url);
  return known?.scans?.some(({ file, state }) => file === name && state === 'not-scanned') === true;
}

/**
 * Records malware and alerts an admin. A failure is only logged: the file was blocked, and the next scan finds the
 * malware again.
 */
async function recordInfected(
  services: Services,
  actor: Actor,
  { url, name }: FetchedFile,
  signature: string,
): Promise<void> {
  const { person } = actor;
  try {
    if (!(await recordScan(services, actor, url, { file: name, state: 'infected', detail: signature }))) return;
    // Without names: the admin isn't necessarily a member of the file's channel.
    const message = `Malware found in a received file: ${signature}. It wasn't delivered. Details: /drop audit.`;
    await services.notifier.alarm(actor, { kind: 'malware', direction: 'received', person, message });
  } catch (error) {
    services.log.error({ ...actor, operation: 'download', err: error }, 'could not record infected file');
  }
}

/** Stores the download with its item and in the audit. The item can be gone if the workspace was disconnected. */
async function recordDownloaded(
  services: Services,
  actor: Actor,
  { url, name, digest, earlierSha256: earlier }: FetchedFile,
  { record }: Pick<OpenAuditEntry<'download'>, 'record'>,
): Promise<void> {
  const { store, log } = services;
  const { workspace, person } = actor;
  const account = await store.credentials.accountOf(actor);
  await inTransaction(store.pool, async (client) => {
    const items = account === undefined ? undefined : itemsIn(store, workspace, account);
    const download = { person, file: name, at: Date.now(), ...digest };
    const { isNew = false, earlierSha256 = earlier } = (await items?.recordDownload(client, url, download)) ?? {};
    if (isNew && account !== undefined) await queueAnnouncement(services, { workspace, account }, client, 'news');
    await record(client, { earlierSha256 });
    if (earlierSha256 !== undefined) log.warn({ ...actor, operation: 'download' }, 'file has changed on the service');
  });
}

/** Whether the file can be shown in the conversation: its item belongs there, or only its owner reads it. */
export async function canBeShownIn(
  services: Services,
  desk: Desk,
  url: string,
  conversation: string,
): Promise<boolean> {
  const known = await (await itemsOf(services, desk)).find(url);
  return known !== undefined && isPostedIn(known, conversation);
}

/** Whether the person already has the file. */
export async function isDownloaded(services: Services, actor: Actor, { url, name }: File): Promise<boolean> {
  const known = await (await itemsOf(services, actor)).find(url);
  return known !== undefined && hasDownloaded(known, actor.person, name);
}
