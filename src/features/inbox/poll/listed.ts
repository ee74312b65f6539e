import { createHash } from 'node:crypto';
import { bounds } from '../../../bounds.ts';
import { DroplineError } from '../../../errors.ts';
import type { InboxItem as ServiceItem } from '../../../exchange/index.ts';

/** An item as the service lists it, with a URL that identifies it and can be requested. */
export interface ListedItem {
  url: string;
  sender: string | undefined;
  createdAt: number | undefined;
  ttl: string | undefined;
  files: string[];
  /** Files beyond the limit, whose names aren't kept. */
  filesLeftOut: number | undefined;
  /** If it changes, the item's post must be updated. */
  digest: string;
}

export interface Listed {
  /** The newest items, oldest first. */
  items: ListedItem[];
  /** Older items beyond the limit. */
  older: Pick<ListedItem, 'url' | 'createdAt'>[];
  unusable: number;
}

/** Entries with the same URL become one item with all their files. */
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
    // Changed in place: copying the list for each of many entries with one URL would take minutes.
    files.push(...kept);
    const filesLeftOut = (before?.filesLeftOut ?? 0) + names.length - kept.length || undefined;
    byUrl.set(url, { ...rest, ...before, url, files, filesLeftOut });
  }
  const all = [...byUrl.values()].sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0));
  const older = all.splice(0, all.length - bounds.inboxItems);
  return { items: all.map((item) => ({ ...item, digest: digestOf(item) })), older, unusable };
}

/** Longer URLs don't fit into the index, and none has ever been seen. */
const longestAddress = 1_000;

/** Whether it is one path segment. Anything else can't be requested, and some of it can't be stored. */
export function isAddress(url: string | undefined): url is string {
  if (url === undefined || /^\.{0,2}$/.test(url)) return false;
  return url.isWellFormed() && !url.includes('\0') && Buffer.byteLength(url) <= longestAddress;
}

/** A longer name is a sender's mistake or an attack: it isn't sent back to the service. */
export const isDownloadable = (name: string) => Buffer.byteLength(name) <= bounds.fileNameBytes;

export const nameTooLong =
  'This file name is too long to download. Ask the sender to rename the file and send it again.';

export function expectDownloadable(name: string): void {
  if (!isDownloadable(name)) throw new DroplineError('not-found', nameTooLong);
}

/** Includes the secret URL, so that it reveals nothing about the names. The remaining time isn't part of it. */
function digestOf({ url, sender, createdAt, files, filesLeftOut }: Omit<ListedItem, 'digest'>): string {
  const more = filesLeftOut === undefined ? [] : [filesLeftOut];
  return createHash('sha256')
    .update(JSON.stringify([url, sender, createdAt, files, ...more]))
    .digest('base64url');
}
