import { createHash } from 'node:crypto';
import type { HistoryEntry } from '../../exchange/index.ts';
import { bounds } from '../../lib/bounds.ts';
import type { Desk } from '../../store/index.ts';
import { isInPeriod, type Period, textMatcher } from '../common/search/search.ts';
import type { Actor, Services } from '../common/services.ts';
import type { ReadEntry } from '../common/shared-work.ts';
import { expectAllowed } from '../settings/permission.ts';
import type { ExpiryUnit } from '../settings/repository.ts';
import { textOf } from '../transfers/history/compare.ts';
import { readWholeHistory } from '../transfers/history/operations.ts';
import { entryHashesIn } from '../transfers/history/repository.ts';
import { transfersIn } from '../transfers/repository.ts';
import { filesOf, type Transfer } from '../transfers/transfer.ts';
import { transferNotFound } from './errors.ts';

export interface HistoryQuery {
  /** From 0. */
  page?: number;
  pageSize?: number;
  /** Words in file names, in messages, and in recipients' addresses, names and numbers. */
  search?: string;
  /** Only transfers of this person. Ignored for members, who always see only their own. */
  person?: string;
  period?: Period;
  /** Only transfers to this address. */
  recipient?: string;
  /** Entry hashes of transfers to leave out. */
  except?: ReadonlySet<string>;
  /** Whether to include transfers that weren't sent, which only Dropline has recorded. */
  withUnsent?: boolean;
}

interface Identified {
  /** Identifies the transfer in this workspace; identical transfers share an id. */
  id: string;
  /** The sender, if Dropline has recorded it. */
  person: string | undefined;
}

export interface PastTransfer extends HistoryEntry, Identified {}

/** A transfer as a page of the history lists it. */
export interface ListedTransfer extends Identified {
  createdAt: number | undefined;
  files: FirstTexts;
  recipients: FirstTexts;
  /** Set if it was declined, cancelled or failed: Dropline's record of it. */
  unsent?: Transfer;
}

/** The first few texts, and their total number. */
export interface FirstTexts {
  first: string[];
  total: number;
}

interface Viewer {
  /** Whether the list has everyone's transfers. */
  seesAll: boolean;
  /** The unit of times to live. */
  unit: ExpiryUnit;
}

export interface HistoryPage extends Viewer {
  entries: ListedTransfer[];
  /** Number of matches. */
  total: number;
  /** Active downloads of the whole account; undefined if the service doesn't report the number. */
  activeDownloads: number | undefined;
}

/** Past transfers, newest first. Members see their own, admins and auditors see all. */
export async function readHistoryPage(
  services: Services,
  actor: Actor,
  query: HistoryQuery = {},
): Promise<HistoryPage> {
  const { page = 0, pageSize = 10, search = '', person, period = {}, recipient, except = new Set() } = query;
  const { workspace } = actor;
  const { isShown, viewer, shownPerson } = await visibleTo(services, actor, person);
  const mentions = textMatcher(search);
  const isTo = recipientMatcher(recipient);
  const matches = (entry: Searched) =>
    isInPeriod(period, entry.createdAt && entry.createdAt * 1000) && isTo(entry) && mentions(textsOf(entry));
  const unsent = query.withUnsent === true ? await readUnsent(services, actor, shownPerson, matches) : [];
  const latest = keepLatest((page + 1) * pageSize, ({ entry, hash }) => ({
    ...listedFields(entry),
    id: idOf(workspace, entry),
    hash: hash(),
  }));
  const { liveDrops: activeDownloads } = await readWholeHistory(services, actor, {
    begin: latest.clear,
    take(read) {
      if (matches(read.entry) && isShown(read) && !(except.size > 0 && except.has(read.hash()))) latest.add(read);
    },
  });
  const all = [...latest.sorted(), ...unsent].sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
  const pageEntries = all.slice(page * pageSize, (page + 1) * pageSize);
  const hashes = pageEntries.flatMap((entry) => ('hash' in entry ? [entry.hash] : []));
  const people = await entryHashesIn(services.store).sendersOf(workspace, hashes);
  const entries = pageEntries.map((entry) => {
    if (!('hash' in entry)) return entry;
    const { hash, ...transfer } = entry;
    return { ...transfer, person: people.get(hash) };
  });
  return { ...viewer, entries, total: latest.count() + unsent.length, activeDownloads };
}

/** The latest transfers that weren't sent, newest first. Their content is kept for 30 days. */
async function readUnsent(
  { store }: Services,
  { workspace, account }: Desk,
  person: string | undefined,
  matches: (entry: Searched) => boolean,
): Promise<ListedTransfer[]> {
  const found: ListedTransfer[] = [];
  const filter = { workspace, account, person, states: ['failed', 'cancelled'] as const, limit: bounds.unsentListed };
  for await (const unsent of transfersIn(store).ended(filter)) {
    const { id, message, recipients } = unsent;
    const entry = {
      createdAt: Math.floor(unsent.createdAt.getTime() / 1000),
      message,
      files: filesOf(unsent),
      recipients,
    };
    if (matches(entry)) found.push({ ...listedFields(entry), id, person: unsent.person, unsent });
  }
  return found;
}

/**
 * Finds a past transfer by its id. Throws if the person can't see the transfer. `own` is Dropline's record of it, if
 * the person sent it; `record` the id of a record that they can see.
 */
export async function readPastTransfer(
  services: Services,
  actor: Actor,
  id: string,
): Promise<Viewer & { transfer: PastTransfer; own: Transfer | undefined; record: string | undefined }> {
  const { workspace } = actor;
  const { isShown, viewer, shownPerson } = await visibleTo(services, actor);
  let match: { entry: HistoryEntry; hash: string } | undefined;
  await readWholeHistory(services, actor, {
    take(read) {
      if (match !== undefined || idOf(workspace, read.entry) !== id || !isShown(read)) return;
      match = { entry: read.entry, hash: read.hash() };
    },
  });
  if (match === undefined) throw transferNotFound();
  const people = await entryHashesIn(services.store).sendersOf(workspace, [match.hash]);
  const own = await entryHashesIn(services.store).ownWithHash(actor, match.hash);
  const record = await entryHashesIn(services.store).idWithHash(workspace, match.hash, shownPerson);
  return { ...viewer, transfer: { ...match.entry, id, person: people.get(match.hash) }, own, record };
}

/** The part of the history that a person can see. Only those who see all can choose another person's part. */
async function visibleTo(services: Services, actor: Actor, chosenPerson?: string) {
  const { may, settings } = await expectAllowed(services, actor, 'history');
  const seesAll = may('audit');
  const { workspace } = actor;
  const person = seesAll ? chosenPerson : actor.person;
  const hashes =
    person === undefined ? undefined : await entryHashesIn(services.store).hashesOfPerson({ workspace, person });
  return {
    viewer: { seesAll, unit: settings.expiryUnit },
    shownPerson: person,
    isShown: ({ hash }: ReadEntry) => hashes === undefined || (hashes.size > 0 && hashes.has(hash())),
  };
}

function idOf(workspace: string, entry: HistoryEntry): string {
  return createHash('sha256')
    .update(`${workspace} ${textOf(entry)}`)
    .digest('base64url')
    .slice(0, 22);
}

interface Searched extends Pick<HistoryEntry, 'createdAt' | 'message'> {
  files: readonly { name?: string }[];
  recipients: readonly { email?: string; nick?: string; name?: string; number?: string }[];
}

function* textsOf({ files, recipients, message }: Searched): Iterable<string | undefined> {
  yield message;
  for (const { name } of files) yield name;
  for (const { email, nick, name, number } of recipients) yield* [email, nick, name, number];
}

function recipientMatcher(recipient: string | undefined): (entry: Searched) => boolean {
  const address = recipient?.toLowerCase();
  return ({ recipients }) => address === undefined || recipients.some(({ email }) => email?.toLowerCase() === address);
}

const maxListed = 3;

function listedFields({ createdAt, files, recipients }: Searched): Omit<ListedTransfer, keyof Identified> {
  return {
    createdAt,
    files: firstTexts(files, ({ name }) => name),
    recipients: firstTexts(recipients, ({ email, number, nick }) => email || number || nick),
  };
}

function firstTexts<T>(items: readonly T[], textOf: (item: T) => string | undefined): FirstTexts {
  return { first: items.slice(0, maxListed).map((item) => shorten(textOf(item) ?? '')), total: items.length };
}

/** Keeps the end too, which has an address's domain. Copies, because a slice would keep the whole text in memory. */
function shorten(text: string): string {
  const { listedTextChars: maxChars } = bounds;
  if (text.length <= maxChars) return text;
  return Buffer.from(`${text.slice(0, maxChars / 2)}…${text.slice(-maxChars / 2)}`, 'utf16le').toString('utf16le');
}

interface Dated {
  createdAt: number | undefined;
}

interface Ordered {
  createdAt: number;
  index: number;
}

/** Of entries with the same second, the last in the list is the newest, because services append. */
const newestFirst = (a: Ordered, b: Ordered) => b.createdAt - a.createdAt || b.index - a.index;

/**
 * Collects the newest `limit` transfers, shortened by `shortenEntry`. Most entries of a history aren't among the
 * newest, so entries are buffered, and only those that remain after sorting are shortened.
 */
export function keepLatest<T extends Dated>(limit: number, shortenEntry: (read: ReadEntry) => T) {
  let latest: (Ordered & { transfer: T })[] = [];
  let unsorted: (Ordered & { read: ReadEntry })[] = [];
  let unsortedBytes = 0;
  let count = 0;

  function prune(): void {
    const remaining = [...latest, ...unsorted].sort(newestFirst).slice(0, limit);
    latest = remaining.map((item) =>
      'transfer' in item ? item : { createdAt: item.createdAt, index: item.index, transfer: shortenEntry(item.read) },
    );
    unsorted = [];
    unsortedBytes = 0;
  }

  return {
    clear() {
      latest = [];
      unsorted = [];
      unsortedBytes = 0;
      count = 0;
    },
    add(read: ReadEntry) {
      unsorted.push({ createdAt: read.entry.createdAt ?? 0, index: count, read });
      unsortedBytes += read.bytes;
      count += 1;
      if (unsorted.length >= bounds.unsortedEntries || unsortedBytes >= bounds.unsortedEntryBytes) prune();
    },
    count: () => count,
    sorted(): T[] {
      prune();
      return latest.map(({ transfer }) => transfer);
    },
  };
}
