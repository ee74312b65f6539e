import { type Search, searchFormat } from '../../common/search/form.ts';
import { isInPeriod, type Period, textMatcher } from '../../common/search/search.ts';
import type { InboxItem } from '../../common/services.ts';

/** A search of the inbox. It has no field for a person: senders aren't in Slack, and the search words match them. */
const { person: _, ...withoutPerson } = searchFormat;
export const itemSearchFormat = withoutPerson;
export type ItemSearch = Omit<Search, 'person'>;

export function itemMatcher(search = '', period: Period = {}): (item: InboxItem) => boolean {
  const matches = textMatcher(search);
  return ({ sender, files, createdAt, foundAt }) =>
    isInPeriod(period, createdAt === undefined ? foundAt : createdAt * 1000) && matches([sender, ...files]);
}
