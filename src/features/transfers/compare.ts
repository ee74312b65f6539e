import { createHash } from 'node:crypto';
import { bounds } from '../../bounds.ts';
import type { HistoryEntry } from '../../exchange/index.ts';
import type { Result, Snapshot, TransferDetails, TransferKind } from './repository.ts';

/** What a history entry must contain to match a transfer. */
export interface Expected {
  kind: TransferKind;
  files: readonly string[];
  receivers: readonly { email?: string | undefined; number?: string | undefined }[];
  message: string;
}

export function expectedOf({ kind, details }: { kind: TransferKind; details: TransferDetails }): Expected {
  const { receivers, message, files, given } = details;
  return { kind, receivers, message, files: given ?? files.map(({ name }) => name) };
}

/** The fields that transfers are compared by. Messages can be long, so only their digest is compared. */
export interface Compared {
  files: readonly string[];
  receivers: Expected['receivers'];
  message: string;
}

export function comparedOf({ files, receivers, message }: Omit<Expected, 'kind'>): Compared {
  // The service can wrap the lines of a message differently.
  return { files, receivers, message: digestOf(inOneLine(message)) };
}

/** Matches exactly what was confirmed. */
export function isAlike(entry: Compared, expected: Expected): boolean {
  return hasItsContent(entry, expected) && hasItsMessage(entry, expected);
}

/** Differs from what was confirmed, but its message, or its files and recipients, can only be this transfer's. */
export function isUnmistakable(entry: Compared, expected: Expected): boolean {
  return hasItsContent(entry, expected) || (inOneLine(expected.message) !== '' && hasItsMessage(entry, expected));
}

function hasItsContent(entry: Compared, { files, receivers }: Expected): boolean {
  return sameTexts(entry.files, files) && sameRecipients(entry.receivers, receivers);
}

function hasItsMessage(entry: Compared, expected: Expected): boolean {
  return entry.message === comparedOf(expected).message;
}

/** The part of a related history entry that is compared. */
export interface Akin extends Compared {
  /** Seconds since 1970. */
  createdAt: number | undefined;
  digest: string;
  /** Identifies the entry across readings. */
  mark: string;
}

/** Picks entries related to a transfer: by a file, or for a grant (which has none) by its message or a recipient. */
export function akinTo(expected: Expected, markOf: (text: string) => string) {
  const { kind } = expected;
  const names = new Set(expected.files);
  const emails = new Set(expected.receivers.map(({ email = '' }) => email.toLowerCase()));
  return (entry: HistoryEntry): Akin | undefined => {
    const files = entry.files.map(({ name = '' }) => name);
    if (kind === 'dispatch' ? !files.some((name) => names.has(name)) : files.length > 0) return undefined;
    const receivers = entry.receivers.map(({ email, number }) => ({ email, number }));
    const compared = comparedOf({ files, receivers, message: entry.message ?? '' });
    const isForThem = () => receivers.some(({ email = '' }) => emails.has(email.toLowerCase()));
    if (kind === 'grant' && !isUnmistakable(compared, expected) && !isForThem()) return undefined;
    const text = textOf(entry);
    return { ...compared, createdAt: entry.createdAt, digest: digestOf(text), mark: markOf(text) };
  };
}

/** An entry's content as text, without its remaining time, which changes between readings. */
export function textOf({ type, createdAt, message, receivers, files }: HistoryEntry): string {
  const emails = receivers.map(({ email = '', number = '' }) => `${email.toLowerCase()} ${number}`).sort();
  return JSON.stringify([type, createdAt, message, emails, files.map(({ name }) => name).sort()]);
}

/** The history's entries related to a transfer, and its total number of entries. */
export interface Excerpt {
  entries: Akin[];
  total: number;
}

export function snapshotOf({ entries, total }: Excerpt, expected: Expected, hidden: number): Snapshot {
  const alike = entries.filter((entry) => isAlike(entry, expected)).length;
  return {
    alike,
    hidden,
    total,
    ...(entries.length <= bounds.similarEntries ? { akin: entries.map(({ digest }) => digest) } : {}),
  };
}

export interface News {
  /** New exact matches. Without digests in the snapshot only their number is right: the entries can be old ones. */
  alike: Akin[];
  /** New entries that are related to the transfer but don't match it. */
  otherwise: Akin[];
  /** Growth of the whole history, without entries known to be other transfers'; negative if entries disappeared. */
  growth: number;
}

/** What the history shows of a transfer that wasn't in its snapshot. */
export function newsOf(
  { entries, total }: Excerpt,
  expected: Expected,
  { akin, alike: before, total: totalBefore }: Snapshot,
  isOthers: (entry: Akin) => boolean,
  isExplained: (entry: Akin) => boolean,
): News {
  const growth = total - totalBefore;
  if (akin === undefined) {
    const alike = entries.filter((entry) => isAlike(entry, expected));
    return { alike: alike.slice(0, Math.max(0, alike.length - before)), otherwise: [], growth };
  }
  const known = new Map<string, number>();
  for (const digest of akin) known.set(digest, (known.get(digest) ?? 0) + 1);
  const fresh = entries.filter(({ digest }) => {
    const left = known.get(digest) ?? 0;
    known.set(digest, left - 1);
    return left <= 0;
  });
  const own = fresh.filter((entry) => !isOthers(entry));
  return {
    alike: own.filter((entry) => isAlike(entry, expected)),
    otherwise: own.filter((entry) => !isAlike(entry, expected) && !isExplained(entry)),
    growth: growth - (fresh.length - own.length),
  };
}

/**
 * If the service confirmed the send, a single new entry with the same files and recipients is ours, even with another
 * message: the service can store messages in its own way.
 */
export function afterYes(news: News, expected: Expected): News {
  const [entry, ...more] = news.otherwise;
  if (news.alike.length + more.length > 0 || entry === undefined || !hasItsContent(entry, expected)) return news;
  return { ...news, alike: [entry], otherwise: [] };
}

/** An attempt that a history entry can belong to. */
export interface Claim {
  /** Milliseconds since 1970. */
  madeAt: number;
  /** The service accepted it, or could be accepting it now. */
  isCertain: boolean;
}

/**
 * Picks the entry that belongs to `mine` if other attempts could have created the entries too. Each attempt that the
 * service accepted gets one first; the rest go to the attempts closest in time.
 */
export function ownEntry(entries: readonly Akin[], mine: Claim, others: readonly Claim[]): Akin | undefined {
  const left = new Set(entries);
  const certain = others.filter(({ isCertain }) => isCertain);
  const doubtful = others.filter(({ isCertain }) => !isCertain);
  for (const group of [certain, [mine, ...doubtful]]) {
    const pairs = group.flatMap((claim) => entries.map((entry) => ({ claim, entry, apart: apartOf(claim, entry) })));
    const served = new Set<Claim>();
    for (const { claim, entry } of pairs.sort((one, other) => one.apart - other.apart)) {
      if (served.has(claim) || !left.delete(entry)) continue;
      if (claim === mine) return entry;
      served.add(claim);
    }
  }
  return undefined;
}

/** An entry without a time goes to the latest attempt: earlier readings didn't find it for the earlier attempts. */
const apartOf = ({ madeAt }: Claim, { createdAt }: Akin) =>
  createdAt === undefined ? -madeAt : Math.abs(createdAt * 1000 - madeAt);

/** The error message if something other than what was confirmed was sent. */
export function differenceOf({ otherwise }: News): Result | undefined {
  const [entry] = otherwise;
  if (entry === undefined) return undefined;
  const { files, receivers } = entry;
  return {
    code: 'difference',
    sentence:
      'The history shows a drop with other files or receivers than were confirmed. Another program or person uses this account.',
    names: [...receivers.map(({ email = '' }) => email), ...files],
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  const sorted = [...other].sort();
  return [...one].sort().every((text, index) => text === sorted[index]);
}

/** Compares by address, and by number if both sides have one. */
function sameRecipients(one: Expected['receivers'], other: Expected['receivers']): boolean {
  const inOrder = (list: Expected['receivers']) =>
    list
      .map(({ email = '', number = '' }) => ({ email: email.toLowerCase(), number }))
      .sort((a, b) => (a.email + a.number < b.email + b.number ? -1 : 1));
  const others = inOrder(other);
  return (
    one.length === other.length &&
    inOrder(one).every(({ email, number }, index) => {
      const match = others[index];
      return match?.email === email && (!number || !match.number || number === match.number);
    })
  );
}
