import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DroplineError } from '../../errors.ts';
import { inTransaction } from '../../store/index.ts';
import { audited, type OpenAuditEntry } from '../common/audited.ts';
import { connectionOf } from '../common/connection.ts';
import type { Actor, InboxItem, Services } from '../common/services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { queueAnnouncement } from './announce/jobs.ts';
import { expectDownloadable, isUsableUrl } from './items/listed.ts';
import { itemsIn } from './items/repository.ts';
import { pollState, requestPoll } from './poll/repository.ts';

/** The items to download, newest first, as of the last poll. */
export async function listInbox(
  services: Services,
  actor: Actor,
  { limit = 10, offset = 0 }: { limit?: number; offset?: number } = {},
): Promise<InboxItem[]> {
  await expectAllowed(services, actor, 'download');
  const { account } = (await connectionOf(services, actor.workspace)).exchange;
  const rows = await itemsIn(services.store, actor.workspace, account).list(limit, offset);
  return rows.map(({ item }) => item);
}

const refreshPauseMs = 200;

/** Asks for a poll now, and waits until a worker has done it or the time is up. */
export async function refreshInbox({ store, people, timing }: Services, actor: Actor): Promise<void> {
  await expectAllowed({ store, people }, actor, 'download');
  const { workspace } = actor;
  const before = (await pollState(store.pool, workspace))?.lastAt;
  if (!(await requestPoll(store.pool, workspace))) return;
  const end = performance.now() + timing.healthMs;
  while (performance.now() < end) {
    await sleep(refreshPauseMs);
    const { lastAt } = (await pollState(store.pool, workspace)) ?? {};
    if (lastAt?.getTime() !== before?.getTime()) return;
  }
}

export interface IncomingFile {
  name: string;
  /** Undefined if the service sends it in chunks. */
  size: number | undefined;
  type: string | undefined;
  /** Fails unless the last byte arrives. */
  stream: Readable;
}

type File = { url: string; name: string };
type Sink = (file: IncomingFile) => Promise<void>;

/** Streams one file of an item to a sink, which resolves when the whole file has arrived. */
export function downloadFile(
  services: Services,
  actor: Actor,
  file: File,
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  return audited(services, actor, 'download', async ({ addDetails }) => {
    await streamFile(services, actor, file, sink, { signal, addDetails });
    await recordDownloaded(services, actor, file);
  });
}

/** Like `downloadFile`, for a sink that learns only later whether the file has arrived. Then call `recordArrival`. */
export const fetchFile = (services: Services, actor: Actor, file: File, sink: Sink, signal: AbortSignal) =>
  streamFile(services, actor, file, sink, { signal, addDetails: () => {} });

type FetchedFile = File & { sender?: string | undefined };

/** Records that a fetched file has arrived, or the problem that stopped it. */
export async function recordArrival(
  services: Services,
  actor: Actor,
  { url, name, sender }: FetchedFile,
  problem?: unknown,
): Promise<void> {
  const recording = audited(services, actor, 'download', async ({ addDetails }) => {
    addDetails({ file: name, sender });
    if (problem !== undefined) throw problem;
    await recordDownloaded(services, actor, { url, name });
  });
  await recording.catch((error: unknown) => {
    if (error !== problem) throw error;
  });
}

async function streamFile(
  services: Services,
  actor: Actor,
  { url, name }: File,
  sink: Sink,
  { signal, addDetails }: Pick<OpenAuditEntry, 'addDetails'> & { signal: AbortSignal },
): Promise<void> {
  expectDownloadable(name);
  addDetails({ file: name });
  await expectAllowed(services, actor, 'download');
  const { exchange } = await connectionOf(services, actor.workspace);
  const items = itemsIn(services.store, actor.workspace, exchange.account);
  // Only items recorded for this workspace: a URL alone gives no access.
  if (!isUsableUrl(url) || (await items.find(url)) === undefined) throw fileGone();
  // This also checks the token: a download couldn't distinguish the service's error page from a file.
  const { items: listed = [] } = await exchange.readInbox({ signal });
  const item = listed.find((other) => other.url === url && other.files.some((file) => file.name === name));
  if (item === undefined) throw fileGone();
  addDetails({ sender: item.sender });
  const { size, type, stream } = await exchange.download({ url, name }, { signal });
  // The stream can fail before the sink listens. Without a listener, the error would end this process.
  stream.on('error', () => {});
  try {
    await sink({ name, size, type, stream });
  } finally {
    stream.destroy();
  }
  // The sink can resolve without reading everything, so check that the stream has ended.
  if (!stream.readableEnded)
    throw new DroplineError('file-failed', `“${name}”: download incomplete.`, { names: [name] });
}

/** Only logs failures: the file has arrived, so the download must not fail. */
async function recordDownloaded(services: Services, actor: Actor, { url, name }: File): Promise<void> {
  const { workspace, person } = actor;
  const record = async () => {
    const { exchange } = await connectionOf(services, workspace);
    const items = itemsIn(services.store, workspace, exchange.account);
    await inTransaction(services.store.pool, async (client) => {
      const isNew = await items.recordDownload(client, url, { person, file: name, at: Date.now() });
      if (isNew) await queueAnnouncement(services, workspace, client, 'news');
    });
  };
  await record().catch((error: unknown) =>
    services.log.error({ ...actor, operation: 'download', err: error }, 'could not record download'),
  );
}

export const fileGone = () =>
  new DroplineError('not-found', 'This file is no longer available. It has expired or was removed.');
