import { bounds } from '../../../src/lib/bounds.ts';
import { answerHistory, type InboxSetup, item } from '../../helpers/inbox.ts';

export const maxItems = bounds.inboxItems;

/** Creates an item that was sent `second` seconds after the first one. Each has its own sender. */
export const itemAt = (second: number) =>
  item(`url-${second}`, { createtime: String(1_700_000_000 + second), sender: `sender-${second}@example.org` });

export const itemsAt = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => itemAt(from + index));

/** Lets the service list these items, then polls and announces. Returns the new posts. */
export async function announceWithItems(setup: InboxSetup, items: unknown[]) {
  answerHistory(setup, items);
  return setup.pollAndAnnounce();
}

export async function countRows({ store }: InboxSetup): Promise<number> {
  return (await store.pool.query('select count(*)::int as many from dropline.inbox_items')).rows[0].many;
}
