import { createHash } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { batchesBySize, type Desk, inTransaction, type Store } from '../../store/index.ts';
import { type StateStep, stateAfter, stepMarks, type TransferState, transferStates, unqueuedStates } from './states.ts';
import {
  type Approval,
  type Transfer,
  type TransferContent,
  type TransferKind,
  type TransferLocations,
  type TransferOf,
  type TransferProgress,
  transferAnswers,
  transferApproval,
  transferContent,
  transferKinds,
  transferLocations,
  transferProgress,
} from './transfer.ts';

export type NewTransfer = Pick<Transfer, 'id' | 'workspace' | 'account' | 'person'> & {
  content: TransferContent;
  progress?: TransferProgress;
  approval?: Approval;
  state: 'approval' | 'planned' | 'waiting';
  /** How long its sender can undo it. */
  undoMs?: number;
};

export interface TransferChange {
  step?: StateStep;
  progress?: Partial<TransferProgress>;
  approval?: Approval;
  locations?: Partial<TransferLocations>;
  cancelledBy?: string;
  entryHash?: string;
  expiresAfter?: number;
}

type Client = Pick<pg.ClientBase, 'query'>;
type Decide = (transfer: Transfer, client: pg.PoolClient) => Promise<TransferChange | undefined>;

/** Which transfers to list: of one person, or of everyone in the workspace. Without a limit, all of them. */
export interface TransferFilter<K extends TransferKind = TransferKind> extends Desk {
  person?: string;
  /** Leaves out this person's. */
  notOf?: string;
  kinds?: readonly K[];
  states?: readonly TransferState[];
  limit?: number;
}

export type QueuedTransfer = Pick<Transfer, 'id' | 'kind' | 'account' | 'createdAt'>;
export type ActiveTransfer = Pick<Transfer, 'id' | 'kind' | 'person' | 'state' | 'createdAt'>;

const valuesOf = ({ workspace, account, person, notOf, kinds, states, limit }: TransferFilter) => [
  workspace,
  person,
  notOf,
  kinds,
  states,
  limit,
  account,
];

const rowSchema = z.object({
  id: z.string(),
  kind: z.enum(transferKinds),
  workspace: z.string(),
  account: z.string(),
  person: z.string(),
  state: z.enum(transferStates),
  cancelled_by: z.string().nullable(),
  created_at: z.date(),
  starts_at: z.date().nullable(),
  committed_at: z.date().nullable(),
  ended_at: z.date().nullable(),
  notified_at: z.date().nullable(),
  entry_hash: z.string().nullable(),
  expires_after: z.number(),
  content_encrypted: z.string().nullable(),
  progress_encrypted: z.string().nullable(),
  approval_encrypted: z.string().nullable(),
  locations_encrypted: z.string().nullable(),
  answers_encrypted: z.string().nullable(),
});

const partUpdates = {
  progress: 'update dropline.transfers set progress_encrypted = $2 where id = $1',
  locations: 'update dropline.transfers set locations_encrypted = $2 where id = $1',
  answers: 'update dropline.transfers set answers_encrypted = $2 where id = $1',
};

/** Reads and writes the encrypted parts of rows. */
export function transferTable({ pool, columnCipher }: Pick<Store, 'pool' | 'columnCipher'>) {
  const ciphers = {
    content: columnCipher('transfers', 'content_encrypted'),
    progress: columnCipher('transfers', 'progress_encrypted'),
    approval: columnCipher('transfers', 'approval_encrypted'),
    locations: columnCipher('transfers', 'locations_encrypted'),
    answers: columnCipher('transfers', 'answers_encrypted'),
  };

  /** Undefined if the content was deleted. */
  function transferOf(stored: unknown): Transfer | undefined {
    const row = rowSchema.parse(stored);
    const { id, workspace, account, person, state } = row;
    const decrypt = (part: keyof typeof ciphers, text: string | null) =>
      text === null ? {} : ciphers[part].decrypt(id, text);
    if (row.content_encrypted === null) return undefined;
    return {
      ...transferContent.parse(decrypt('content', row.content_encrypted)),
      ...transferAnswers.parse(decrypt('answers', row.answers_encrypted)),
      id,
      workspace,
      account,
      person,
      state,
      expiresAfter: row.expires_after,
      cancelledBy: row.cancelled_by ?? undefined,
      createdAt: row.created_at,
      startsAt: row.starts_at ?? undefined,
      committedAt: row.committed_at ?? undefined,
      endedAt: row.ended_at ?? undefined,
      notifiedAt: row.notified_at ?? undefined,
      isSeen: row.entry_hash !== null,
      progress: transferProgress.parse(decrypt('progress', row.progress_encrypted)),
      approval:
        row.approval_encrypted === null
          ? undefined
          : transferApproval.parse(decrypt('approval', row.approval_encrypted)),
      locations: transferLocations.parse(decrypt('locations', row.locations_encrypted)),
    };
  }

  /** Reads the one row that the statement selects. `T`: the kind that it selects. */
  async function readOne<T extends Transfer = Transfer>(
    client: Client,
    sql: string,
    values: unknown[],
  ): Promise<T | undefined> {
    const { rows } = await client.query(sql, values);
    return rows[0] && (transferOf(rows[0]) as T | undefined);
  }

  /**
   * Reads the rows whose ids and sizes the statement selects, in batches of at most `bounds.readBytes`, or one row.
   * `T`: the kinds that the statement selects.
   */
  async function* readEach<T extends Transfer>(client: Client, sql: string, values: unknown[]): AsyncGenerator<T> {
    const { rows: sizes } = await client.query<{ id: string; bytes: number }>(sql, values);
    for (const batch of batchesBySize(sizes)) {
      const { rows } = await client.query(
        'select * from dropline.transfers where id = any ($1) order by array_position($1, id)',
        [batch.map(({ id }) => id)],
      );
      for (const row of rows) {
        const transfer = transferOf(row);
        if (transfer !== undefined) yield transfer as T;
      }
    }
  }

  /** Changes one part of a row. Also works after the end of the transfer. `within`: the client of a transaction. */
  async function updatePart<K extends TransferKind>(
    within: pg.PoolClient | undefined,
    id: string,
    part: keyof typeof partUpdates,
    change: (transfer: TransferOf<K>) => object | undefined,
    kind?: K,
  ): Promise<void> {
    const update = async (client: pg.PoolClient) => {
      const sql = 'select * from dropline.transfers where id = $1 and kind = coalesce($2, kind) for update';
      const transfer = await readOne<TransferOf<K>>(client, sql, [id, kind]);
      const value = transfer && change(transfer);
      if (value !== undefined) await client.query(partUpdates[part], [id, ciphers[part].encrypt(id, value)]);
    };
    await (within === undefined ? inTransaction(pool, update) : update(within));
  }

  return { readOne, readEach, updatePart, ciphers };
}

/**
 * Reads and writes the table of transfers. A transfer can't be read after its retention period, when its content is
 * deleted. Queries that only requests or the history need are in `answers/repository.ts` and
 * `history/repository.ts`. The store deletes rows by age or workspace.
 */
export function transfersIn(store: Pick<Store, 'pool' | 'columnCipher'>) {
  const { pool } = store;
  const { readOne, readEach, updatePart, ciphers } = transferTable(store);

  async function write(client: pg.PoolClient, transfer: Transfer | undefined, decide: Decide) {
    const change = transfer && (await decide(transfer, client));
    if (transfer === undefined || change === undefined) return undefined;
    const { step, cancelledBy = transfer.cancelledBy, entryHash, expiresAfter = transfer.expiresAfter } = change;
    const { id, approval = transfer.approval } = { ...transfer, ...change };
    const state = step === undefined ? transfer.state : stateAfter(step, transfer.state);
    const progress = { ...transfer.progress, ...change.progress };
    const locations = { ...transfer.locations, ...change.locations };
    const mark = step && stepMarks(step);
    await client.query(
      `update dropline.transfers set state = $2, cancelled_by = $3, expires_after = $4, progress_encrypted = $5,
         approval_encrypted = $6, locations_encrypted = $7,
         entry_hash = coalesce($8, entry_hash),
         created_at = case when $9 = 'queued' then now() else created_at end,
         committed_at = coalesce(committed_at, case when $9 = 'committed' then now() end),
         ended_at = coalesce(ended_at, case when $9 = 'ended' then now() end),
         notified_at = case when ended_at is null then notified_at end
       where id = $1`,
      [
        id,
        state,
        cancelledBy,
        expiresAfter,
        ciphers.progress.encrypt(id, progress),
        approval && ciphers.approval.encrypt(id, approval),
        ciphers.locations.encrypt(id, locations),
        entryHash,
        mark,
      ],
    );
    const isSeen = transfer.isSeen || entryHash !== undefined;
    return { ...transfer, state, cancelledBy, expiresAfter, progress, approval, locations, isSeen };
  }

  return {
    /** Resolves with the new row, or with undefined if there is a transfer with this id. */
    async insert(client: Client, transfer: NewTransfer): Promise<Pick<Transfer, 'createdAt' | 'startsAt'> | undefined> {
      const { id, workspace, account, person, state, content, progress, approval, undoMs = 0 } = transfer;
      const { rows } = await client.query<{ createdAt: Date; startsAt: Date | null }>(
        `insert into dropline.transfers (id, kind, workspace, account, person, state, expires_after, content_encrypted,
           progress_encrypted, approval_encrypted, starts_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
           greatest(to_timestamp($11), case when $6 = 'planned' then now() + $12 * interval '1 millisecond' end))
         on conflict do nothing returning created_at as "createdAt", starts_at as "startsAt"`,
        [
          id,
          content.kind,
          workspace,
          account,
          person,
          state,
          content.expiresAfter,
          ciphers.content.encrypt(id, content),
          progress && ciphers.progress.encrypt(id, progress),
          approval && ciphers.approval.encrypt(id, approval),
          content.plannedFor,
          undoMs,
        ],
      );
      const [row] = rows;
      return row && { createdAt: row.createdAt, startsAt: row.startsAt ?? undefined };
    },
    /**
     * Undefined if there is no such transfer, or none of this kind.
     *
     * @param id untrusted
     */
    async read<K extends TransferKind = TransferKind>(id: string, kind?: K): Promise<TransferOf<K> | undefined> {
      if (!z.uuid().safeParse(id).success) return undefined;
      return readOne(pool, 'select * from dropline.transfers where id = $1 and kind = coalesce($2, kind)', [id, kind]);
    },
    /** Changes a transfer that hasn't ended, under a row lock. Nothing changes if `decide` resolves with undefined. */
    change: (id: string, decide: Decide): Promise<Transfer | undefined> =>
      inTransaction(pool, async (client) => {
        const sql = 'select * from dropline.transfers where id = $1 and ended_at is null for update';
        return write(client, await readOne(client, sql, [id]), decide);
      }),
    /** Like `change`, for a transfer that has ended. People are notified again. */
    revise: (id: string, decide: Decide): Promise<Transfer | undefined> =>
      inTransaction(pool, async (client) => {
        const sql = 'select * from dropline.transfers where id = $1 and ended_at is not null for update';
        return write(client, await readOne(client, sql, [id]), decide);
      }),
    /** The accounts of the workspace's transfers with these ids. @param ids untrusted */
    async accountsOf(workspace: string, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return [];
      const { rows } = await pool.query<{ account: string }>(
        'select distinct account from dropline.transfers where workspace = $1 and id = any ($2::uuid[])',
        [workspace, ids],
      );
      return rows.map(({ account }) => account);
    },
    async markNotified(id: string): Promise<void> {
      await pool.query('update dropline.transfers set notified_at = now() where id = $1', [id]);
    },
    /** Adds to the progress what doesn't affect what is sent. Also works after the end. `within`: of a transaction. */
    updateProgress: (id: string, change: Pick<TransferProgress, 'duplicate'>, within?: pg.PoolClient) =>
      updatePart(within, id, 'progress', ({ progress }) => ({ ...progress, ...change })),
    /** Keeps the hash of a file that was read as a whole. Resolves with false if an earlier read had other bytes. */
    async recordHash(id: string, file: string, sha256: string): Promise<boolean> {
      let known: string | undefined;
      await updatePart(undefined, id, 'progress', ({ progress }) => {
        known = progress.hashes?.[file];
        return known === undefined ? { ...progress, hashes: { ...progress.hashes, [file]: sha256 } } : undefined;
      });
      return known === undefined || known === sha256;
    },
    /** Changes where the transfer is shown. Also works after the end. */
    updateLocations: (
      id: string,
      change: (locations: TransferLocations) => Partial<TransferLocations> | undefined,
    ): Promise<void> =>
      updatePart(undefined, id, 'locations', ({ locations }) => {
        const changes = change(locations);
        return changes && { ...locations, ...changes };
      }),
    /** An account's transfers that were committed in the last day and that the history hasn't shown. */
    unseen: (account: string) =>
      readEach<Transfer>(
        pool,
        `select id, bytes from dropline.transfers
         where account = $1 and committed_at > now() - interval '1 day' and entry_hash is null`,
        [account],
      ),
    /** The person's transfers that were committed in the last two days and are in one of these states, newest first. */
    recent: <K extends TransferKind>(
      { workspace, account, person, kind }: Desk & { person: string; kind: K },
      states: readonly TransferState[],
    ) =>
      readEach<TransferOf<K>>(
        pool,
        `select id, bytes from dropline.transfers
         where workspace = $1 and person = $2 and kind = $3 and state = any ($4)
           and committed_at > now() - interval '2 days' and ($5::text is null or account = $5)
         order by created_at desc`,
        [workspace, person, kind, states, account],
      ),
    /** Whether another transfer of the account was interrupted during preparation. Call under the account's lock. */
    async hasOtherInterrupted({ id, account }: Pick<Transfer, 'id' | 'account'>): Promise<boolean> {
      const { rowCount } = await pool.query(
        `select from dropline.transfers where account = $1 and id <> $2 and state = 'running' and ended_at is null
           and created_at > now() - interval '1 day' limit 1`,
        [account, id],
      );
      return rowCount === 1;
    },
    /** How many transfers of the same account were queued earlier and haven't ended. */
    async countAhead(id: string): Promise<number> {
      const { rows } = await pool.query<{ ahead: number }>(
        `select count(*)::int as ahead from dropline.transfers one join dropline.transfers other using (account)
         where one.id = $1 and other.ended_at is null and other.created_at < one.created_at
           and not array[one.state, other.state] && $2`,
        [id, unqueuedStates],
      );
      return rows[0]?.ahead ?? 0;
    },
    /** A workspace's transfers of these kinds that were confirmed and haven't started, in the order of their queue. */
    async listQueued(client: Client, { workspace, account }: Desk, kinds: readonly TransferKind[]) {
      const { rows } = await client.query<QueuedTransfer>(
        `select id, kind, account, created_at as "createdAt" from dropline.transfers
         where workspace = $1 and kind = any ($2) and state = 'waiting' and ended_at is null
           and ($3::text is null or account = $3) order by created_at`,
        [workspace, kinds, account],
      );
      return rows;
    },
    /** How many transfers wait for approval: in all workspaces, or of one person. */
    async countWaitingForApproval(
      { workspace, person }: { workspace?: string; person?: string } = {},
      within: Client = pool,
    ): Promise<number> {
      const { rows } = await within.query<{ count: number }>(
        `select count(*)::int as count from dropline.transfers where ended_at is null and state = 'approval'
           and ($1::text is null or workspace = $1 and person = $2)`,
        [workspace, person],
      );
      return rows[0]?.count ?? 0;
    },
    /** Transfers of a workspace that haven't ended, oldest first. */
    active: <K extends TransferKind = TransferKind>(filter: TransferFilter<K>) =>
      readEach<TransferOf<K>>(
        pool,
        `select id, bytes from dropline.transfers
         where workspace = $1 and ended_at is null and ($2::text is null or person = $2)
           and ($3::text is null or person <> $3) and ($4::text[] is null or kind = any ($4))
           and ($5::text[] is null or state = any ($5)) and ($7::text is null or account = $7)
         order by created_at limit $6`,
        valuesOf(filter),
      ),
    /** The same without their content, which can be large. */
    async listActiveStates(filter: Omit<TransferFilter, 'kinds'>): Promise<ActiveTransfer[]> {
      const { rows } = await pool.query<ActiveTransfer>(
        `select id, kind, person, state, created_at as "createdAt" from dropline.transfers
         where workspace = $1 and ended_at is null and ($2::text is null or person = $2)
           and ($3::text is null or person <> $3) and ($4::text[] is null or kind = any ($4))
           and ($5::text[] is null or state = any ($5)) and ($7::text is null or account = $7)
         order by created_at limit $6`,
        valuesOf(filter),
      );
      return rows;
    },
    /** Transfers of a workspace that have ended, newest first. */
    ended: <K extends TransferKind = TransferKind>(filter: TransferFilter<K>) =>
      readEach<TransferOf<K>>(
        pool,
        `select id, bytes from dropline.transfers
         where workspace = $1 and ended_at is not null and content_encrypted is not null
           and ($2::text is null or person = $2) and ($3::text is null or person <> $3)
           and ($4::text[] is null or kind = any ($4)) and ($5::text[] is null or state = any ($5)) and ($7::text is null or account = $7)
         order by created_at desc limit $6`,
        valuesOf(filter),
      ),
    /** The transfers of all workspaces whose outcome isn't known. */
    async listOpen(): Promise<Pick<Transfer, 'id' | 'workspace' | 'kind' | 'account' | 'state'>[]> {
      const { rows } = await pool.query(
        `select id, workspace, kind, account, state from dropline.transfers
         where ended_at is null and state <> 'sent' order by created_at`,
      );
      return rows;
    },
    async isActive(id: string): Promise<boolean> {
      const { rowCount } = await pool.query('select from dropline.transfers where id = $1 and ended_at is null', [id]);
      return rowCount === 1;
    },
    /** Whether a transfer that wasn't sent was confirmed again. */
    async isRetried(id: string): Promise<boolean> {
      const { rowCount } = await pool.query('select from dropline.transfers where id = $1', [retryIdOf(id)]);
      return rowCount === 1;
    },
  };
}

/** The id of a transfer's retry. It is the same for every click, so that there is only one retry. */
export function retryIdOf(id: string): string {
  const hex = createHash('sha256').update(`after ${id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Whether the transfer is of the actor's workspace and account. @param transfer undefined if there is none */
export const isOfDesk = <T extends Required<Desk>>(
  transfer: T | undefined,
  { workspace, account }: Desk,
): transfer is T => transfer?.workspace === workspace && (account ?? transfer.account) === transfer.account;

/** For a list that is known to be short. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
