import { createHash } from 'node:crypto';
import { chunksOf, consume } from './answers.ts';
import { type HistoryEntry, historyEntryView, type InboxItem, inboxItemView } from './entries.ts';
import { eachEntry, readLists } from './lists.ts';
import type { CallOptions, Session } from './session.ts';
import { parseJson } from './status.ts';
import type { Answer } from './wire.ts';

const operation = 'readHistory';

export interface History {
  entries: HistoryEntry[];
  inbox: InboxItem[];
  /** Undefined where the service does not say, or not as a number. */
  liveDrops: number | undefined;
}

export interface HistoryOptions extends CallOptions {
  /** Which entries to keep; all of them without it. The service returns every drop ever made. */
  keep?: ((entry: HistoryEntry) => boolean) | undefined;
}

export function readHistory(session: Session, { signal, keep }: HistoryOptions = {}): Promise<History> {
  return session.call(operation, { signal }, async (token, inner) => {
    const answer = await session.ask({ operation, signal: inner }, token);
    const history: History = { entries: [], inbox: [], liveDrops: undefined };
    const { historyBytes, listBytes } = session.limits;
    await readLists(session, answer, {
      lists: {
        ...eachEntry(session, answer, 'history', historyEntryView, historyBytes, (entry) => {
          const kept = keep === undefined || keep(entry);
          if (kept) history.entries.push(entry);
          return kept;
        }),
        ...eachEntry(session, answer, 'inbox', inboxItemView, listBytes, (item) => history.inbox.push(item) > 0),
      },
      wants: (key) => key === 'live_drops' || key === 'live_drop',
      value(_, json) {
        history.liveDrops = countOf(json);
      },
    });
    return history;
  });
}

export interface InboxOptions extends CallOptions {
  /** The digest of an earlier reading: if the service still says the same, nothing is read again. */
  unless?: string | undefined;
}

export interface Inbox {
  /** Undefined where nothing has changed since the digest given. */
  items: InboxItem[] | undefined;
  digest: string;
}

/**
 * Reads the inbox alone. An unchanged answer costs its digest; a changed one is scanned for the inbox as it arrives,
 * and the history beside it is passed over. Neither holds more than a fixed part of the answer.
 */
export function readInbox(session: Session, { signal, unless }: InboxOptions = {}): Promise<Inbox> {
  return session.call(operation, { signal }, async (token, inner) => {
    const ask = () => session.ask({ operation, signal: inner }, token);
    const answer = await ask();
    if (unless === undefined) return scanArriving(session, answer);
    const { digest, chunks } = await digestOf(session, answer);
    if (digest === unless) return { items: undefined, digest };
    if (chunks === undefined) return scanArriving(session, await ask());
    return { items: await scanInbox(session, answer, chunks), digest };
  });
}

/** Takes the digest of a body, and keeps the body too as long as it is small. */
async function digestOf(session: Session, answer: Answer): Promise<{ digest: string; chunks: Buffer[] | undefined }> {
  const { keptBytes, callMs } = session.limits;
  const hash = createHash('sha256');
  let chunks: Buffer[] | undefined = [];
  let bytes = 0;
  await consume(answer, callMs, (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes > keptBytes) chunks = undefined;
    else chunks?.push(chunk);
  });
  return { digest: hash.digest('base64url'), chunks };
}

/** Scans an answer as it arrives and takes its digest on the way. */
async function scanArriving(session: Session, answer: Answer): Promise<Inbox> {
  const hash = createHash('sha256');
  const items = await scanInbox(session, answer, hashing(chunksOf(answer), hash));
  return { items, digest: hash.digest('base64url') };
}

async function scanInbox(
  session: Session,
  answer: Answer,
  chunks: AsyncIterable<Buffer> | Buffer[],
): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  const take = (item: InboxItem) => items.push(item) > 0;
  const lists = eachEntry(session, answer, 'inbox', inboxItemView, session.limits.listBytes, take);
  await readLists(session, answer, { lists, chunks });
  return items;
}

async function* hashing(chunks: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

function countOf(json: string): number | undefined {
  const value = parseJson(json);
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isFinite(count) ? count : undefined;
}
