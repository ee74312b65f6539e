import { createHash } from 'node:crypto';
import type { InboxItem as ServiceItem } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import type { InboxItem } from '../../common/services.ts';
import { nameTooLong } from './errors.ts';

/** An item as the service lists it. The URL is usable and identifies the item. */
export interface ListedItem {
  url: string;
  sender: string | undefined;
  createdAt: number | undefined;
  expiresAfter: string | undefined;
  files: string[];
  /** Number of files beyond the limit, whose names aren't stored. All, if the names are too long together. */
  filesLeftOut: number | undefined;
  /** If the digest changes, the item's post must be updated. */
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
  for (const { url, files: entryFiles, ...otherFields } of listed) {
    if (!isUsableUrl(url)) {
      unusable += 1;
      continue;
    }
    const before = byUrl.get(url);
    const { files = [] } = before ?? {};
    const names = entryFiles.flatMap(({ name }) => (name === undefined ? [] : [name]));
    const included = names.slice(0, bounds.filesPerItem - files.length);
    // Extends the list in place: with many entries for one URL, copying it for each would take minutes.
    files.push(...included);
    const filesLeftOut = (before?.filesLeftOut ?? 0) + names.length - included.length || undefined;
    byUrl.set(url, { ...otherFields, ...before, url, files, filesLeftOut });
  }
  const all = [...byUrl.values()].sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0));
  const older = all.splice(0, all.length - bounds.inboxItems);
  return { items: all.map(withoutLongList).map((item) => ({ ...item, digest: digestOf(item) })), older, unusable };
}

/** If the list of names is too large to store, counts the files instead. A part of them would look like all. */
function withoutLongList(item: Omit<ListedItem, 'digest'>): typeof item {
  const { files, filesLeftOut = 0 } = item;
  if (Buffer.byteLength(JSON.stringify(files)) <= bounds.fileListBytes) return item;
  return { ...item, files: [], filesLeftOut: files.length + filesLeftOut };
}

/** Longer URLs don't fit into the database index. */
const maxUrlBytes = 1_000;

/** Whether the URL can be requested as a path segment and stored in the database. */
export function isUsableUrl(url: string | undefined): url is string {
  if (url === undefined || /^\.{0,2}$/.test(url)) return false;
  return url.isWellFormed() && !url.includes('\0') && Buffer.byteLength(url) <= maxUrlBytes;
}

/** Longer names are mistakes or attacks. They are never sent to the service. */
export const isDownloadable = (name: string) => Buffer.byteLength(name) <= bounds.fileNameBytes;

export function expectDownloadable(name: string): void {
  if (!isDownloadable(name)) throw nameTooLong();
}

export const hasDownloaded = ({ downloads }: InboxItem, person: string, file: string): boolean =>
  downloads.some((download) => download.person === person && download.file === file);

/** One entry per name: two files with the same name can't be requested separately. */
export const filesOf = ({ files }: InboxItem): string[] => [...new Set(files)];

/** The malware that was found in a file of an item. */
export const infectionOf = ({ scans = [] }: InboxItem, name: string): string | undefined =>
  scans.find(({ file, state }) => file === name && state === 'infected')?.detail;

/**
 * Includes the secret URL, so that names can't be guessed from the digest. Excludes `expiresAfter`, which changes with
 * time.
 */
function digestOf({ url, sender, createdAt, files, filesLeftOut }: Omit<ListedItem, 'digest'>): string {
  const optional = filesLeftOut === undefined ? [] : [filesLeftOut];
  return createHash('sha256')
    .update(JSON.stringify([url, sender, createdAt, files, ...optional]))
    .digest('base64url');
}
