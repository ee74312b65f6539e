import { z } from 'zod';
import { isInPeriod, type Period, searchFormat, textMatcher } from '../../common/search/search.ts';
import type { InboxItem } from '../../common/services.ts';

/** `open`: not taken and not done. `mine`: taken by the person and not done, also if the files are gone. */
export const workFilters = ['open', 'done', 'mine'] as const;
export type WorkFilter = (typeof workFilters)[number];

/** A search of the inbox has no field for a person: senders aren't in Slack, and the search words match them. */
const { person: _, ...itemSearchFormat } = searchFormat;

/** What the modal shows: a page of the inbox, or of one item's files. Stored, so that it can be shown again. */
export const shownPage = z.object({
  page: z.number().int().min(0),
  /** The item whose files are shown; absent for the inbox. */
  item: z.string().optional(),
  /** Only items with files that nobody has downloaded. */
  isNew: z.boolean().optional(),
  /** Only items in this state. */
  work: z.enum(workFilters).optional(),
  ...itemSearchFormat,
});
export type ShownPage = z.infer<typeof shownPage>;

export function itemMatcher(search = '', period: Period = {}): (item: InboxItem) => boolean {
  const matches = textMatcher(search);
  return ({ sender, files, createdAt, foundAt }) =>
    isInPeriod(period, createdAt === undefined ? foundAt : createdAt * 1000) && matches([sender, ...files]);
}

export type ItemTest = (item: InboxItem) => boolean;

/** Visits items, newest first, until `visit` returns false. Resolves with their number if there were too many. */
export type Search = (visit: ItemTest) => Promise<number | undefined>;

export interface Found {
  items: InboxItem[];
  /** How many of the newest items were searched; undefined if there was no need to stop there. */
  searched?: number;
}

export interface ItemPage extends Found {
  /** How many match. */
  total: number;
}

/** One page of the matching items. Keeps only that page in memory. */
export async function pageOf(search: Search, page: number, size: number, matches: ItemTest): Promise<ItemPage> {
  const items: InboxItem[] = [];
  let total = 0;
  const searched = await search((item) => {
    if (!matches(item)) return true;
    if (total >= page * size && items.length < size) items.push(item);
    total += 1;
    return true;
  });
  return { items, total, searched };
}

/** The newest matching items. */
export async function findFirst(search: Search, limit: number, matches: ItemTest): Promise<Found> {
  const items: InboxItem[] = [];
  const searched = await search((item) => {
    if (matches(item)) items.push(item);
    return items.length < limit;
  });
  return { items, searched };
}
