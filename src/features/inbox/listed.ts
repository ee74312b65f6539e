import { createHash } from 'node:crypto';
import { bounds } from '../../bounds.ts';
import { DroplineError } from '../../errors.ts';
import type { InboxItem as ServiceItem } from '../../exchange/index.ts';

/** An item as the service lists it, with an address by which it can be known again and asked for. */
export interface ListedItem {
  url: string;
  sender: string | undefined;
  createdAt: number | undefined;
  ttl: string | undefined;
  files: string[];
  /** Files beyond the limit, whose names aren't kept. */
  filesLeftOut: number | undefined;
  /** Another one means that its post must be changed. */
  digest: string;
}

export interface Listed {
  /** The newest of them, the oldest first. */
  items: ListedItem[];
  /** Those that are older, where there are too many. */
  older: Pick<ListedItem, 'url' | 'createdAt'>[];
  unusable: number;
}

/** What comes twice under one address is one item with the files of both. */
export function readListed(listed: readonly ServiceItem[]): Listed {
  const byUrl = new Map<string, Omit<ListedItem, 'digest'>>();
  let unusable = 0;
  for (const { url, files: named, ...rest } of listed) {
    if (!isAddress(url)) {
      unusable += 1;
      continue;
    }
    const before = byUrl.get(url);
    const { files = [] } = before ?? {};
    const names = named.flatMap(({ name }) => (name === undefined ? [] : [name]));
    const kept = names.slice(0, bounds.filesPerItem - files.length);
    // In place: copying the list for each of many entries of one address would take minutes.
    files.push(...kept);
    const filesLeftOut = (before?.filesLeftOut ?? 0) + names.length - kept.length || undefined;
    byUrl.set(url, { ...rest, ...before, url, files, filesLeftOut });
  }
  const all = [...byUrl.values()].sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0));
  const older = all.splice(0, all.length - bounds.inboxItems);
  return { items: all.map((item) => ({ ...item, digest: digestOf(item) })), older, unusable };
}

/** Long ones do not fit into the index, and nobody has seen one. */
const longestAddress = 1_000;

/** One segment of a path: what else there may be cannot be asked for, and the database does not keep all of it. */
export function isAddress(url: string | undefined): url is string {
  if (url === undefined || /^\.{0,2}$/.test(url)) return false;
  return url.isWellFormed() && !url.includes('\0') && Buffer.byteLength(url) <= longestAddress;
}

/** A longer name is a stranger's mistake or trick: it isn't sent back to the service. */
export const isDownloadable = (name: string) => Buffer.byteLength(name) <= bounds.fileNameBytes;

export const nameTooLong =
  'This file name is too long to download. Ask the sender to rename the file and send it again.';

export function expectDownloadable(name: string): void {
  if (!isDownloadable(name)) throw new DroplineError('not-found', nameTooLong);
}

/** The url within is a secret that nobody guesses, so this tells nothing of the names. What is left of its time is not in it. */
function digestOf({ url, sender, createdAt, files, filesLeftOut }: Omit<ListedItem, 'digest'>): string {
  const more = filesLeftOut === undefined ? [] : [filesLeftOut];
  return createHash('sha256')
    .update(JSON.stringify([url, sender, createdAt, files, ...more]))
    .digest('base64url');
}
