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
    await readLists(session, answer, {
      lists: {
        ...eachEntry(session, answer, 'history', historyEntryView, (entry) => {
          if (keep === undefined || keep(entry)) history.entries.push(entry);
        }),
        ...eachEntry(session, answer, 'inbox', inboxItemView, (item) => history.inbox.push(item)),
      },
      value(key, json) {
        if (key === 'live_drops' || key === 'live_drop') history.liveDrops = countOf(json);
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
    if (unless === undefined) return scanInbox(session, await ask());
    const answer = await ask();
    const { digest, chunks } = await digestOf(answer, session.limits.keptBytes);
    if (digest === unless) return { items: undefined, digest };
    return chunks === undefined ? scanInbox(session, await ask()) : scanInbox(session, answer, { digest, chunks });
  });
}

/** Takes the digest of a body, and keeps the body too as long as it is small. */
async function digestOf(answer: Answer, keptBytes: number): Promise<{ digest: string; chunks: Buffer[] | undefined }> {
  const hash = createHash('sha256');
  let chunks: Buffer[] | undefined = [];
  let bytes = 0;
  await consume(answer, (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes > keptBytes) chunks = undefined;
    else chunks?.push(chunk);
  });
  return { digest: hash.digest('base64url'), chunks };
}

/** Scans an answer as it arrives, taking its digest on the way, or one that was kept. */
async function scanInbox(
  session: Session,
  answer: Answer,
  kept?: { digest: string; chunks: Buffer[] },
): Promise<Inbox> {
  const hash = createHash('sha256');
  const items: InboxItem[] = [];
  await readLists(session, answer, {
    lists: eachEntry(session, answer, 'inbox', inboxItemView, (item) => items.push(item)),
    chunks: kept?.chunks ?? hashing(chunksOf(answer), hash),
  });
  return { items, digest: kept?.digest ?? hash.digest('base64url') };
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
