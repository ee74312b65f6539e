import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import { type Desk, defineCollection, inTransaction, type Store } from '../../../store/index.ts';
import type { InboxItem } from '../../common/services.ts';
import { type FoundRow, itemTable, urlsOf } from '../items/rows.ts';

const claimedMessages = defineCollection('reminded', z.literal(true));

/** Longer than a reminder can be retried: people are reminded at most two days before something expires. */
const ttlMs = 7 * 86_400_000;

/** The messages that were sent or are being sent. A claimed message is never sent again, not even after a crash. */
export function reminderClaims({ collection }: Pick<Store, 'collection'>, workspace: string) {
  const claims = collection(claimedMessages);
  /**
   * @param subject id of an item or a request
   * @param to id of a person, or `thread`
   */
  const nameOf = (subject: string, to: string) => `${subject} ${to}`;
  return {
    /** Resolves with false if the message was claimed before. */
    claim: (subject: string, to: string): Promise<boolean> =>
      claims.add(workspace, true, { name: nameOf(subject, to), ttlMs }),
    async release(subject: string, to: string): Promise<void> {
      await claims.delete(workspace, nameOf(subject, to));
    },
  };
}

/** Times in seconds: the length of the expiry unit, and how long before the end people are reminded. */
interface ReminderTimes {
  unitSeconds: number;
  leadSeconds: number;
}

/** Reads and writes which items need a reminder, in the table of inbox items. */
export function expiringIn(store: Pick<Store, 'pool' | 'columnCipher'>, workspace: string, account: string) {
  const { pool } = store;
  const { query, readBatches, lock } = itemTable(store, workspace, account);
  return {
    /**
     * Batches of items that need a reminder: they expire within the lead time, or are in the second half of their
     * lifetime if that is shorter. Excludes items without a recorded expiry: it is unknown, or
     * the item was in the inbox before the workspace was connected or before reminders existed. Sorted by expiry.
     */
    async *due({ unitSeconds, leadSeconds }: ReminderTimes): AsyncGenerator<InboxItem[]> {
      let after: string | undefined;
      do {
        const found: FoundRow[] = await query<FoundRow>(
          pool,
          `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
           where workspace = $1 and account = $2
             and expires_after is not null and reminded_at is null and gone_at is null and announced_at is not null
             and extract(epoch from now()) >= expires_from + expires_after * $3 - least($4, expires_after * $3 / 2)
             and extract(epoch from now()) < expires_from + expires_after * $3
             and ($5::text is null or (expires_from + expires_after * $3, url) >
               (select expires_from + expires_after * $3, url from dropline.inbox_items
                where workspace = $1 and account = $2 and url = $5))
           order by expires_from + expires_after * $3, url limit $6`,
          unitSeconds,
          leadSeconds,
          after,
          bounds.reminders,
        );
        yield* readBatches(pool, found);
        after = found.at(-1)?.url;
      } while (after !== undefined);
    },
    /** Ends the reminder of these items, whether it was sent or not. */
    markReminded: (items: readonly InboxItem[]) =>
      inTransaction(pool, async (client) => {
        await lock(client, urlsOf(items));
        await query(
          client,
          `update dropline.inbox_items set reminded_at = now()
           where workspace = $1 and account = $2 and url = any ($3)`,
          urlsOf(items),
        );
      }),
  };
}

/** Accounts with items that could need a reminder. */
export async function desksWithExpiring({ pool }: Pick<Store, 'pool'>): Promise<Required<Desk>[]> {
  const { rows } = await pool.query<Required<Desk>>(
    `select distinct workspace, account from dropline.inbox_items
     where expires_after is not null and reminded_at is null and gone_at is null`,
  );
  return rows;
}
