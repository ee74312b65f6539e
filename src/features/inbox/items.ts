import { createHash } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import type { InboxItem as ServiceItem } from '../../exchange/index.ts';
import { inTransaction, type Store } from '../../store/index.ts';
import type { InboxItem, Place } from '../services.ts';

const details = z.object({
  sender: z.string().optional(),
  createdAt: z.number().optional(),
  ttl: z.string().optional(),
  files: z.array(z.string()),
  taken: z.array(z.object({ person: z.string(), file: z.string(), at: z.number() })).default([]),
  place: z.record(z.string(), z.string()).optional(),
});
type Details = z.infer<typeof details>;

export interface KnownItem {
  item: InboxItem;
  place: Place | undefined;
  /** As the database writes it: a Date would lose its last digits. */
  changedAt: string | undefined;
}

type Client = Pick<pg.ClientBase, 'query'>;

/** The inbox items that a workspace's account has or had: the ledger by which each is announced once. */
export function itemsOf({ pool, sealer }: Pick<Store, 'pool' | 'sealer'>, workspace: string, account: string) {
  const { seal, open } = sealer('inbox_items', 'details_sealed');
  const idOf = (url: string) => JSON.stringify([workspace, account, url]);
  const openRow = ({ url, details_sealed, changed_at }: Row): KnownItem => {
    const { place, sender, createdAt, ttl, files, taken } = details.parse(open(idOf(url), details_sealed));
    return { item: { url, sender, createdAt, ttl, files, taken }, place, changedAt: changed_at ?? undefined };
  };
  const mine = 'workspace = $1 and account = $2';
  const select = async (rest: string, values: unknown[] = [], client: Client = pool): Promise<KnownItem[]> => {
    const sql = `select url, details_sealed, changed_at::text from dropline.inbox_items where ${mine} and ${rest}`;
    return (await client.query<Row>(sql, [workspace, account, ...values])).rows.map(openRow);
  };

  return {
    /** Notes what the service has now. Resolves with how many are new, and how many are otherwise than before. */
    async record(client: Client, listed: readonly ServiceItem[], isBaseline: boolean) {
      const there = new Map(listed.flatMap((item) => (item.url === undefined ? [] : [[item.url, item] as const])));
      const { rows } = await client.query<{ url: string; digest: string; gone: boolean }>(
        `select url, digest, gone_at is not null as gone from dropline.inbox_items where ${mine}`,
        [workspace, account],
      );
      const known = new Map(rows.map((row) => [row.url, row]));
      const count = { fresh: 0, changed: 0 };
      for (const [url, item] of there) {
        const row = known.get(url);
        const digest = digestOf(item);
        if (row === undefined) {
          count.fresh += 1;
          await client.query(
            `insert into dropline.inbox_items (workspace, account, url, digest, details_sealed, announced_at)
             values ($1, $2, $3, $4, $5, case when $6 then now() end) on conflict do nothing`,
            [workspace, account, url, digest, seal(idOf(url), { ...detailsOf(item), taken: [] }), isBaseline],
          );
        } else if (row.digest !== digest) {
          count.changed += 1;
          await update(client, url, (before) => ({ ...before, ...detailsOf(item) }));
          await touch(client, url, digest);
        }
      }
      const seen = [...there.keys()];
      await client.query(
        `update dropline.inbox_items set gone_at = case when url = any ($3) then null else now() end, last_seen = now()
         where ${mine} and (gone_at is null) <> (url = any ($3))`,
        [workspace, account, seen],
      );
      return count;
    },
    waiting: (limit: number) => select('announced_at is null order by first_seen, url limit $3', [limit]),
    changed: (limit: number) => select('announced_at is not null and changed_at is not null limit $3', [limit]),
    async announced(known: readonly KnownItem[], place: Place): Promise<void> {
      for (const { item, changedAt } of known) {
        await inTransaction(pool, async (client) => {
          await update(client, item.url, (before) => ({ ...before, place }));
          await client.query(`update dropline.inbox_items set announced_at = now() where ${mine} and url = $3`, [
            workspace,
            account,
            item.url,
          ]);
          if (changedAt !== undefined) await shown(client, item.url, changedAt);
        });
      }
    },
    /** Its post is as it should be; unless it has changed again meanwhile. */
    shown: (url: string, changedAt: string) => shown(pool, url, changedAt),
    async find(url: string): Promise<KnownItem | undefined> {
      return (await select('url = $3', [url]))[0];
    },
    list: (limit: number, offset: number) =>
      select('gone_at is null order by first_seen desc, url limit $3 offset $4', [limit, offset]),
    took: (url: string, take: Details['taken'][number]) =>
      inTransaction(pool, async (client) => {
        await update(client, url, (before) => ({ ...before, taken: [...before.taken, take] }));
        await touch(client, url);
      }),
  };

  /** Within a transaction: several may change the same item. */
  async function update(client: Client, url: string, change: (before: Details) => Details): Promise<void> {
    const { rows } = await client.query<Row>(
      `select url, details_sealed, changed_at::text from dropline.inbox_items where ${mine} and url = $3 for update`,
      [workspace, account, url],
    );
    if (rows[0] === undefined) return;
    const after = change(details.parse(open(idOf(url), rows[0].details_sealed)));
    const sql = `update dropline.inbox_items set details_sealed = $4 where ${mine} and url = $3`;
    await client.query(sql, [workspace, account, url, seal(idOf(url), after)]);
  }

  async function touch(client: Client, url: string, digest?: string): Promise<void> {
    const sql = `update dropline.inbox_items set changed_at = clock_timestamp(), digest = coalesce($4, digest) where ${mine} and url = $3`;
    await client.query(sql, [workspace, account, url, digest ?? null]);
  }

  async function shown(client: Client, url: string, changedAt: string): Promise<void> {
    const sql = `update dropline.inbox_items set changed_at = null where ${mine} and url = $3 and changed_at::text = $4`;
    await client.query(sql, [workspace, account, url, changedAt]);
  }
}

interface Row {
  url: string;
  details_sealed: string;
  changed_at: string | null;
}

function detailsOf({ sender, createdAt, ttl, files }: ServiceItem) {
  return { sender, createdAt, ttl, files: files.flatMap(({ name }) => (name === undefined ? [] : [name])) };
}

/** The url within is a secret that nobody guesses, so this tells nothing of the names. What is left of its time is not in it. */
function digestOf({ url, sender, createdAt, files }: ServiceItem): string {
  const text = JSON.stringify([url, sender, createdAt, files.map(({ name }) => name)]);
  return createHash('sha256').update(text).digest('base64url');
}
