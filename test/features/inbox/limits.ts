import { bounds } from '../../../src/bounds.ts';
import { answerHistory, type InboxSetup, item } from '../../helpers/inbox.ts';

export const maxItems = bounds.inboxItems;

/** An item that was sent `second` seconds after the first one, each by another sender. */
export const itemAt = (second: number) =>
  item(`url-${second}`, { createtime: String(1_700_000_000 + second), sender: `sender-${second}@example.org` });

export const itemsAt = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => itemAt(from + index));

/** Lets the service list these items. Returns the new posts. */
export async function announcementsWith(setup: InboxSetup, items: unknown[]) {
  answerHistory(setup, items);
  return setup.pollAndAnnounce();
}

export async function countRows({ store }: InboxSetup): Promise<number> {
  return (await store.pool.query('select count(*)::int as many from dropline.inbox_items')).rows[0].many;
}
