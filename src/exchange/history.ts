import { createHash } from 'node:crypto';
import { chunksOf, consume } from './answers.ts';
import { type HistoryEntry, historyEntryView, type InboxItem, inboxItemView } from './entries.ts';
import { eachEntry, readLists } from './lists.ts';
import type { CallOptions, Session } from './session.ts';
import { parseJson } from './status.ts';
import type { Answer } from './wire.ts';

const operation = 'readHistory';

export interface History<T = HistoryEntry> {
  entries: T[];
  /** How many entries there are, kept or not. */
  total: number;
  /** Undefined where the service does not say, or not as a number. */
  liveDrops: number | undefined;
}

export interface HistoryOptions<T> extends CallOptions {
  /** Called before the first entry; again where the service had to be asked twice. */
  begin?: (() => void) | undefined;
  /**
   * What to keep of an entry; whole entries without it. The service returns every drop ever made, so this should be what
   * is shown or compared and no more. `bytes` is about what the entry itself takes.
   */
  pick?: ((entry: HistoryEntry, bytes: number) => T | undefined) | undefined;
}

/** Of a text over `textBytes`, an entry has the beginning and a digest of the rest: it is never equal to another text. */
export function readHistory<T>(session: Session, options: HistoryOptions<T> = {}): Promise<History<T>> {
  const { signal, begin, pick = (entry) => entry as T } = options;
  return session.call(operation, { signal }, async (token, inner) => {
    const answer = await session.ask({ operation, signal: inner }, token);
    const history: History<T> = { entries: [], total: 0, liveDrops: undefined };
    begin?.();
    const { historyBytes, listBytes, textBytes } = session.limits;
    await readLists(session, answer, {
      lists: {
        ...eachEntry(session, answer, 'history', historyEntryView, historyBytes, (entry, json) => {
          history.total += 1;
          const kept = pick(entry, json.length);
          if (kept === undefined) return undefined;
          history.entries.push(kept);
          return JSON.stringify(kept);
        }),
        // Not kept, but what `readInbox` refuses is refused here too.
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
