import { z } from 'zod';
import { isInPeriod, type Period, searchFormat, textMatcher } from '../../common/search/search.ts';
import type { InboxItem } from '../../common/services.ts';
import { workFilters } from './repository.ts';

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
