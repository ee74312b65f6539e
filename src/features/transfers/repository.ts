import type pg from 'pg';
import { z } from 'zod';
import { inTransaction, type Store } from '../../store/index.ts';
import { stored } from '../../stored-formats.ts';

export type TransferKind = 'dispatch' | 'grant';

/**
 * `waiting` and `running`: nothing has been sent, it may be cancelled. `committing`: the one call that sends is about to
 * be made or was made, and its answer is not known. `sent`: the service said so. The rest are ends.
 */
export type TransferState = 'waiting' | 'running' | 'committing' | 'sent' | 'failed' | 'cancelled' | 'unknown';

const receiver = z.object({
  email: z.string(),
  number: z.string().optional(),
  nick: z.string().optional(),
  json: z.string(),
});
export type FrozenRecipient = z.infer<typeof receiver>;

/** Where it comes from, and the name under which receivers will see it. */
const file = z.object({ id: z.string(), name: z.string(), size: z.number(), stamp: z.string() });
export type FrozenFile = z.infer<typeof file>;

const snapshot = z.object({
  /** Digests of the history's entries that had something of this before it was sent; absent where there were too many. */
  akin: z.array(z.string()).optional(),
  /** How many of them were just like it. */
  alike: z.number(),
  /** How many entries the history had in all. */
  total: z.number().default(0),
  /** How many just like it were sent earlier and had not appeared yet. */
  hidden: z.number(),
});
export type Snapshot = z.infer<typeof snapshot>;

const result = z.object({ code: z.string(), sentence: z.string(), names: z.array(z.string()) });
export type Result = z.infer<typeof result>;

export const transferDetails = stored(
  'dispatches.details_sealed',
  z.object({
    receivers: z.array(receiver),
    files: z.array(file),
    message: z.string(),
    timeToLive: z.number(),
    /** Foreign files that an admin has looked at and wants removed first. */
    removeForeign: z.array(z.string()).default([]),
    /** The transfer that was not sent and that this one is to make good. */
    after: z.string().optional(),
    /** Under which names the service has the files; in their order. */
    given: z.array(z.string()).optional(),
    snapshot: snapshot.optional(),
    /** Whether files that were there when it was committed had gone before we removed them: a sign that it was sent. */
    vanished: z.boolean().optional(),
    /** Why it ended otherwise than sent. */
    result: result.optional(),
    /** What the history shows instead of what was confirmed. */
    difference: result.optional(),
    /** Ended in doubt: until when the history is still checked for it, in milliseconds since 1970. */
    watchedUntil: z.number().optional(),
    /** The history showed it after it had ended in doubt: when, and what its sender had been told. */
    found: z.object({ at: z.number(), after: z.enum(['failed', 'unknown']) }).optional(),
    /** Those that were in doubt when this was prepared and would make it a duplicate: their sender was warned. */
    earlier: z.array(z.string()).optional(),
    /** The other one, where a transfer was sent again and both were made; and whether people know. */
    duplicate: z.object({ of: z.string(), isTold: z.boolean() }).optional(),
    /** Where its card stands, for whoever shows it. */
    place: z.record(z.string(), z.string()).optional(),
    /** Of a request: what came from those who were asked. */
    answers: z.array(z.object({ item: z.string(), from: z.string(), files: z.number(), at: z.number() })).optional(),
  }),
);
export type TransferDetails = z.infer<typeof transferDetails>;

export interface Transfer {
  id: string;
  kind: TransferKind;
  workspace: string;
  account: string;
  person: string;
  state: TransferState;
  cancelledBy: string | undefined;
  createdAt: Date;
  /** When the call that sends was about to be made. */
  committedAt: Date | undefined;
  endedAt: Date | undefined;
  notifiedAt: Date | undefined;
  /** Whether the history has shown it. */
  isSeen: boolean;
  /** Undefined once they have outlived their time. */
  details: TransferDetails | undefined;
}

export type OpenTransfer = Transfer & { details: TransferDetails };

export interface TransferChange {
  state?: TransferState;
  details?: Partial<TransferDetails>;
  cancelledBy?: string;
  committed?: boolean;
  entryMark?: string | undefined;
  ended?: boolean;
}

type Client = Pick<pg.ClientBase, 'query'>;

export interface Transfers {
  insert(
    client: Client,
    transfer: Pick<Transfer, 'id' | 'kind' | 'workspace' | 'account' | 'person'> & { details: TransferDetails },
  ): Promise<boolean>;
  read(id: string): Promise<Transfer | undefined>;
  /** Changes a transfer that has not ended, one after the other; whoever gets undefined as a change leaves it. */
  change(
    id: string,
    decide: (transfer: OpenTransfer, client: pg.PoolClient) => Promise<TransferChange | undefined>,
  ): Promise<OpenTransfer | undefined>;
  markNotified(id: string): Promise<void>;
  /** The same for one that has ended: more is known of it now, and that is to be told again. */
  revise: Transfers['change'];
  /** Adds to what is shown of it, also after its end. */
  annotate(
    id: string,
    more: (details: TransferDetails) => Pick<TransferDetails, 'place' | 'answers' | 'duplicate'> | undefined,
  ): Promise<void>;
  /** Those of an account that were committed and that the history has not shown (yet). */
  unseen(account: string): Promise<OpenTransfer[]>;
  /** Those of the same person that were committed within two days and are in one of these states; the newest first. */
  recent(
    of: Pick<Transfer, 'workspace' | 'person' | 'kind'>,
    states: readonly TransferState[],
  ): Promise<OpenTransfer[]>;
  /** Whether another one of the same account was broken off while it was prepared. To be asked under the outgoing lock. */
  hasBrokenOff(transfer: Pick<Transfer, 'id' | 'account'>): Promise<boolean>;
  /** How many were confirmed on the same account before it and have not ended. */
  ahead(id: string): Promise<number>;
}

const columns = `id, kind, workspace, account, person, state, cancelled_by, created_at, committed_at, ended_at, told_at, entry_mark, details_sealed`;

export function transfersIn({ pool, columnCipher }: Pick<Store, 'pool' | 'columnCipher'>): Transfers {
  const { encrypt, decrypt } = columnCipher('dispatches', 'details_sealed');
  const transferOf = (row: Row): Transfer => ({
    id: row.id,
    kind: row.kind,
    workspace: row.workspace,
    account: row.account,
    person: row.person,
    state: row.state,
    cancelledBy: row.cancelled_by ?? undefined,
    createdAt: row.created_at,
    committedAt: row.committed_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    notifiedAt: row.told_at ?? undefined,
    isSeen: row.entry_mark !== null,
    details: row.details_sealed === null ? undefined : transferDetails.parse(decrypt(row.id, row.details_sealed)),
  });
  async function addTo(
    client: pg.PoolClient,
    id: string,
    more: (details: TransferDetails) => Partial<TransferDetails> | undefined,
  ): Promise<void> {
    const { rows } = await client.query<Row>(`select ${columns} from dropline.dispatches where id = $1 for update`, [
      id,
    ]);
    const transfer = rows[0] === undefined ? undefined : transferOf(rows[0]);
    const added = hasDetails(transfer) ? more(transfer.details) : undefined;
    if (!hasDetails(transfer) || added === undefined) return;
    const encrypted = encrypt(id, { ...transfer.details, ...added });
    await client.query('update dropline.dispatches set details_sealed = $2 where id = $1', [id, encrypted]);
  }

  const changeWhere = (
    condition: 'ended_at is null' | 'ended_at is not null',
    id: string,
    decide: Parameters<Transfers['change']>[1],
  ) =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<Row>(
        `select ${columns} from dropline.dispatches where id = $1 and ${condition} for update`,
        [id],
      );
      const transfer = rows[0] === undefined ? undefined : transferOf(rows[0]);
      if (!hasDetails(transfer)) return undefined;
      const change = await decide(transfer, client);
      if (change === undefined) return undefined;
      const { state = transfer.state, cancelledBy = transfer.cancelledBy, entryMark, committed, ended } = change;
      const details = { ...transfer.details, ...change.details };
      await client.query(
        `update dropline.dispatches set state = $2, cancelled_by = $3, details_sealed = $4,
           committed_at = coalesce(committed_at, case when $5 then now() end),
           entry_mark = coalesce($6, entry_mark),
           ended_at = coalesce(ended_at, case when $7 then now() end),
           told_at = case when ended_at is null then told_at end
         where id = $1`,
        [id, state, cancelledBy ?? null, encrypt(id, details), committed ?? false, entryMark ?? null, ended ?? false],
      );
      return { ...transfer, state, cancelledBy, details, isSeen: transfer.isSeen || entryMark !== undefined };
    });

  return {
    async insert(client, { id, kind, workspace, account, person, details }) {
      const { rowCount } = await client.query(
        `insert into dropline.dispatches (id, kind, workspace, account, person, state, details_sealed)
         values ($1, $2, $3, $4, $5, 'waiting', $6) on conflict do nothing`,
        [id, kind, workspace, account, person, encrypt(id, details)],
      );
      return rowCount === 1;
    },
    async read(id) {
      const { rows } = await pool.query<Row>(`select ${columns} from dropline.dispatches where id = $1`, [id]);
      return rows[0] === undefined ? undefined : transferOf(rows[0]);
    },
    change: (id, decide) => changeWhere('ended_at is null', id, decide),
    revise: (id, decide) => changeWhere('ended_at is not null', id, decide),
    async markNotified(id) {
      await pool.query('update dropline.dispatches set told_at = now() where id = $1', [id]);
    },
    annotate: (id, more) => inTransaction(pool, (client) => addTo(client, id, more)),
    async unseen(account) {
      const { rows } = await pool.query<Row>(
        `select ${columns} from dropline.dispatches
         where account = $1 and committed_at > now() - interval '1 day' and entry_mark is null`,
        [account],
      );
      return rows.map(transferOf).filter(hasDetails);
    },
    async recent({ workspace, person, kind }, states) {
      const { rows } = await pool.query<Row>(
        `select ${columns} from dropline.dispatches
         where workspace = $1 and person = $2 and kind = $3 and state = any ($4)
           and committed_at > now() - interval '2 days'
         order by created_at desc`,
        [workspace, person, kind, states],
      );
      return rows.map(transferOf).filter(hasDetails);
    },
    async hasBrokenOff({ id, account }) {
      const { rowCount } = await pool.query(
        `select from dropline.dispatches where account = $1 and id <> $2 and state = 'running' and ended_at is null
           and created_at > now() - interval '1 day' limit 1`,
        [account, id],
      );
      return rowCount === 1;
    },
    async ahead(id) {
      const { rows } = await pool.query<{ ahead: number }>(
        `select count(*)::int as ahead from dropline.dispatches one join dropline.dispatches other using (account)
         where one.id = $1 and other.ended_at is null and other.created_at < one.created_at`,
        [id],
      );
      return rows[0]?.ahead ?? 0;
    },
  };
}

function hasDetails(transfer: Transfer | undefined): transfer is OpenTransfer {
  return transfer?.details !== undefined;
}

interface Row {
  id: string;
  kind: TransferKind;
  workspace: string;
  account: string;
  person: string;
  state: TransferState;
  cancelled_by: string | null;
  created_at: Date;
  committed_at: Date | null;
  ended_at: Date | null;
  told_at: Date | null;
  entry_mark: string | null;
  details_sealed: string | null;
}
