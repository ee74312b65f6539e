import { createHash } from 'node:crypto';
import type { HistoryEntry } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { filesOf, type Result, type Snapshot, type Transfer } from '../transfer.ts';

/** What a history entry must contain to match a transfer. */
export interface Expected {
  /** None for a request. */
  files: readonly string[];
  recipients: readonly { email?: string; number?: string }[];
  message: string;
}

export function expectedOf(transfer: Transfer): Expected {
  const { recipients, message, progress } = transfer;
  return { recipients, message, files: progress.uploadedNames ?? filesOf(transfer).map(({ name }) => name) };
}

/** The fields that transfers are compared by. Messages can be long, so only their digest is compared. */
export interface Compared {
  files: readonly string[];
  recipients: Expected['recipients'];
  message: string;
}

export function comparedOf({ files, recipients, message }: Expected): Compared {
  // The service can change the line breaks of a message, so any whitespace counts as one space.
  return { files, recipients, message: digestOf(collapseSpaces(message)) };
}

/** Whether the entry has the files, recipients and message that were confirmed. */
export function isExactMatch(entry: Compared, expected: Expected): boolean {
  return hasSameContent(entry, expected) && hasSameMessage(entry, expected);
}

/**
 * Whether the entry has the same files and recipients, or the same message if there is one. Either identifies a
 * transfer.
 */
export function isPartialMatch(entry: Compared, expected: Expected): boolean {
  return (
    hasSameContent(entry, expected) || (collapseSpaces(expected.message) !== '' && hasSameMessage(entry, expected))
  );
}

function hasSameContent(entry: Compared, { files, recipients }: Expected): boolean {
  return sameTexts(entry.files, files) && sameRecipients(entry.recipients, recipients);
}

function hasSameMessage(entry: Compared, expected: Expected): boolean {
  return entry.message === comparedOf(expected).message;
}

/** A history entry that is related to a transfer, reduced to what is compared. */
export interface RelatedEntry extends Compared {
  /** Seconds since 1970. */
  createdAt: number | undefined;
  digest: string;
  /** Identifies the entry in every read of the history. */
  hash: string;
}

/**
 * Picks entries that share a file with the transfer. For a request, which has no files, picks entries without files that
 * share a recipient or the message.
 */
export function relatedTo(expected: Expected, hashOf: (text: string) => string) {
  const names = new Set(expected.files);
  const emails = new Set(expected.recipients.map(({ email = '' }) => email.toLowerCase()));
  return (entry: HistoryEntry): RelatedEntry | undefined => {
    const files = entry.files.map(({ name = '' }) => name);
    if (names.size > 0 ? !files.some((name) => names.has(name)) : files.length > 0) return undefined;
    const recipients = entry.recipients.map(({ email, number }) => ({ email, number }));
    const compared = comparedOf({ files, recipients, message: entry.message ?? '' });
    const sharesRecipient = () => recipients.some(({ email = '' }) => emails.has(email.toLowerCase()));
    if (names.size === 0 && !isPartialMatch(compared, expected) && !sharesRecipient()) return undefined;
    const text = textOf(entry);
    return { ...compared, createdAt: entry.createdAt, digest: digestOf(text), hash: hashOf(text) };
  };
}

/** An entry's content as text, without its remaining time, which differs in every read. */
export function textOf({ type, createdAt, message, recipients, files }: HistoryEntry): string {
  const emails = recipients.map(({ email = '', number = '' }) => `${email.toLowerCase()} ${number}`).sort();
  return JSON.stringify([type, createdAt, message, emails, files.map(({ name }) => name).sort()]);
}

/** The history entries related to a transfer, and the number of all entries in the history. */
export interface Excerpt {
  entries: RelatedEntry[];
  total: number;
}

export function snapshotOf({ entries, total }: Excerpt, expected: Expected, hidden: number): Snapshot {
  const identical = entries.filter((entry) => isExactMatch(entry, expected)).length;
  return {
    identical,
    hidden,
    total,
    ...(entries.length <= bounds.similarEntries ? { related: entries.map(({ digest }) => digest) } : {}),
  };
}

export interface NewEntries {
  /** Exact matches. If the snapshot has no digests, only their number is reliable: some can be old entries. */
  matching: RelatedEntry[];
  /** Entries that are related to the transfer but don't match it. */
  differing: RelatedEntry[];
  /** How much the history grew; negative if it shrank. Related entries of other transfers don't count, others do. */
  growth: number;
}

/** How the account's other transfers relate to an entry. */
export interface OtherTransfers {
  /** Whether the entry was found to be another transfer's. */
  have(entry: RelatedEntry): boolean;
  /** Whether it could be the late entry of an earlier transfer, which then isn't a difference. */
  explain(entry: RelatedEntry): boolean;
}

/**
 * The related entries that weren't in the transfer's snapshot and don't belong to another transfer. Without digests in
 * the snapshot, only the number of new matches is known.
 */
export function newEntriesOf(
  { entries, total }: Excerpt,
  expected: Expected,
  snapshot: Snapshot,
  others: OtherTransfers,
): NewEntries {
  const growth = total - snapshot.total;
  const isMatch = (entry: RelatedEntry) => isExactMatch(entry, expected);
  if (snapshot.related === undefined) {
    const matching = entries.filter(isMatch);
    return { matching: matching.slice(0, Math.max(0, matching.length - snapshot.identical)), differing: [], growth };
  }
  const added = subtract(entries, snapshot.related, ({ digest }) => digest);
  const ours = added.filter((entry) => !others.have(entry));
  return {
    matching: ours.filter(isMatch),
    differing: ours.filter((entry) => !isMatch(entry) && !others.explain(entry)),
    growth: growth - (added.length - ours.length),
  };
}

/**
 * For a transfer that the service confirmed: a single new entry with the same files and recipients counts as a match
 * even if its message differs, because the service can reformat messages.
 */
export function withConfirmedEntry(newEntries: NewEntries, expected: Expected): NewEntries {
  const [entry, ...otherEntries] = newEntries.differing;
  if (newEntries.matching.length + otherEntries.length > 0 || entry === undefined || !hasSameContent(entry, expected))
    return newEntries;
  return { ...newEntries, matching: [entry], differing: [] };
}

/** An attempt to send that a history entry can belong to. */
export interface Attempt {
  /** Milliseconds since 1970. */
  madeAt: number;
  /** Whether the attempt was sent or is being sent now. Its entry is assigned before those of other attempts. */
  hasPriority: boolean;
}

/**
 * Picks the entry of the attempt `mine`, if other attempts could have created the same entries. First each
 * attempt with priority gets the entry closest in time; then `mine` and the others get what is left in the same way.
 */
export function ownEntry(
  entries: readonly RelatedEntry[],
  mine: Attempt,
  others: readonly Attempt[],
): RelatedEntry | undefined {
  const unassigned = new Set(entries);
  const first = others.filter(({ hasPriority }) => hasPriority);
  const rest = others.filter(({ hasPriority }) => !hasPriority);
  for (const group of [first, [mine, ...rest]]) {
    const pairs = group.flatMap((attempt) =>
      entries.map((entry) => ({ attempt, entry, distance: timeBetween(attempt, entry) })),
    );
    const assigned = new Set<Attempt>();
    for (const { attempt, entry } of pairs.sort((a, b) => a.distance - b.distance)) {
      if (assigned.has(attempt) || !unassigned.delete(entry)) continue;
      if (attempt === mine) return entry;
      assigned.add(attempt);
    }
  }
  return undefined;
}

/** An entry without a time goes to the latest attempt: if it were older, an earlier check would have found it. */
const timeBetween = ({ madeAt }: Attempt, { createdAt }: RelatedEntry) =>
  createdAt === undefined ? -madeAt : Math.abs(createdAt * 1000 - madeAt);

/** The result to store if the history shows something other than what was confirmed. */
export function differenceOf({ differing }: NewEntries): Result | undefined {
  const [entry] = differing;
  if (entry === undefined) return undefined;
  const { files, recipients } = entry;
  return {
    code: 'difference',
    message: 'The history shows a transfer with different files or recipients. Someone else uses this account.',
    names: [...recipients.map(({ email = '' }) => email), ...files],
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim();

function sameTexts(texts: readonly string[], others: readonly string[]): boolean {
  if (texts.length !== others.length) return false;
  const sortedOthers = [...others].sort();
  return [...texts].sort().every((text, index) => text === sortedOthers[index]);
}

/** Compares by address, and by number if both sides have one. */
function sameRecipients(recipients: Expected['recipients'], others: Expected['recipients']): boolean {
  const sortRecipients = (list: Expected['recipients']) =>
    list
      .map(({ email = '', number = '' }) => ({ email: email.toLowerCase(), number }))
      .sort((a, b) => (a.email + a.number < b.email + b.number ? -1 : 1));
  const sortedOthers = sortRecipients(others);
  return (
    recipients.length === others.length &&
    sortRecipients(recipients).every(({ email, number }, index) => {
      const match = sortedOthers[index];
      return match?.email === email && (!number || !match.number || number === match.number);
    })
  );
}

/** The items that are left after each of these keys has taken one item with that key. */
export function subtract<T>(items: readonly T[], keys: Iterable<string>, keyOf: (item: T) => string): T[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return items.filter((item) => {
    const count = counts.get(keyOf(item)) ?? 0;
    counts.set(keyOf(item), count - 1);
    return count <= 0;
  });
}
