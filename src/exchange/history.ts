import { createHash } from 'node:crypto';
import { chunksOf, consume } from './answers.ts';
import { type HistoryEntry, historyEntryReader, type InboxItem, inboxItemView } from './entries.ts';
import { eachEntry, readLists } from './lists.ts';
import type { CallOptions, Session } from './session.ts';
import { parseJson } from './status.ts';
import type { Answer } from './transport.ts';

const operation = 'readHistory';

export interface History<T = HistoryEntry> {
  entries: T[];
  /** The number of all entries, picked or not. */
  total: number;
  /** Undefined if the service sends no valid number. */
  liveDrops: number | undefined;
}

export interface HistoryOptions<T> extends CallOptions {
  /** Called before the first entry, and again if the request is retried. */
  begin?: () => void;
  /**
   * Returns the part of an entry to keep, or undefined to skip the entry; by default, the whole entry is kept. The
   * service returns every drop ever made, so keep only what is shown or compared. `bytes` is the entry's approximate
   * size.
   */
  pick?: ((entry: HistoryEntry, bytes: number) => T | undefined) | undefined;
}

/** A text over `textBytes` is shortened and ends with a digest of the rest, so different texts stay different. */
export function readHistory<T>(session: Session, options: HistoryOptions<T> = {}): Promise<History<T>> {
  const { signal, begin, pick = (entry) => entry as T } = options;
  return session.call(operation, { signal }, async (token, callSignal) => {
    const answer = await session.request({ operation, signal: callSignal }, token);
    const history: History<T> = { entries: [], total: 0, liveDrops: undefined };
    begin?.();
    const { historyBytes, listBytes, textBytes } = session.limits;
    await readLists(session, answer, {
      lists: {
        ...eachEntry(session, answer, 'history', historyEntryReader, historyBytes, (entry, json) => {
          history.total += 1;
          const picked = pick(entry, json.length);
          if (picked === undefined) return undefined;
          history.entries.push(picked);
          return JSON.stringify(picked);
        }),
        // The inbox isn't needed here, but one that `readInbox` rejects must be rejected here too.
        ...eachEntry(session, answer, 'inbox', inboxItemView, listBytes, (item) => JSON.stringify(item)),
      },
      textBytes,
      wants: (key) => key === 'live_drops' || key === 'live_drop',
      value(_, json) {
        history.liveDrops = countOf(json);
      },
    });
    return history;
  });
}

export interface InboxOptions extends CallOptions {
  /** The digest of an earlier read: an unchanged answer isn't parsed again. */
  knownDigest?: string;
  /** Called before an answer is parsed, which takes memory. It can be called again. */
  beforeScan?: () => Promise<void>;
}

export interface Inbox {
  /** Undefined if the digest is still `knownDigest`. */
  items: InboxItem[] | undefined;
  digest: string;
}

/**
 * Reads only the inbox. With `knownDigest`, an unchanged answer isn't scanned. A changed one is scanned from a buffer,
 * or requested again if it exceeds `bufferedBytes`. Its history is skipped, so memory stays bounded.
 */
export function readInbox(
  session: Session,
  { signal, knownDigest, beforeScan = async () => {} }: InboxOptions = {},
): Promise<Inbox> {
  return session.call(operation, { signal }, async (token, callSignal) => {
    const request = () => session.request({ operation, signal: callSignal }, token);
    const answer = await request();
    if (knownDigest === undefined) {
      await beforeScan();
      return scanArriving(session, answer);
    }
    const { digest, chunks } = await digestOf(session, answer);
    if (digest === knownDigest) return { items: undefined, digest };
    await beforeScan();
    if (chunks === undefined) return scanArriving(session, await request());
    return { items: await scanInbox(session, answer, chunks), digest };
  });
}

/** Computes the digest of a body, and buffers the body up to `bufferedBytes`. */
async function digestOf(session: Session, answer: Answer): Promise<{ digest: string; chunks: Buffer[] | undefined }> {
  const { bufferedBytes, callMs } = session.limits;
  const hash = createHash('sha256');
  let chunks: Buffer[] | undefined = [];
  let bytes = 0;
  await consume(answer, callMs, (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes > bufferedBytes) chunks = undefined;
    else chunks?.push(chunk);
  });
  return { digest: hash.digest('base64url'), chunks };
}

/** Scans an answer and computes its digest as it arrives. */
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
  const { listBytes, textBytes } = session.limits;
  const lists = eachEntry(session, answer, 'inbox', inboxItemView, listBytes, (item) => {
    items.push(item);
    return JSON.stringify(item);
  });
  await readLists(session, answer, { lists, chunks, textBytes });
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
