import { createHash } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { bounds } from '../../bounds.ts';
import { batchesBySize, inTransaction, type Store } from '../../store/index.ts';
import { stored } from '../../stored-formats.ts';
import { approvalRules } from './approval/rules.ts';

/** A send and a request, as they are stored. */
export const transferKinds = ['send', 'request'] as const;
export type TransferKind = (typeof transferKinds)[number];

/**
 * - `approval`: another person has to approve the transfer. It has no job of its kind, and isn't in the account's queue
 * - `waiting`, `running`: nothing has been sent, and the transfer can be cancelled
 * - `committing`: the call that sends is about to be made or was made, and its answer is unknown
 * - `sent`: the service or its history has confirmed the transfer
 * - `failed`, `cancelled`, `unknown`: ended. If the outcome is in doubt, a later check of the history can change it
 */
export const transferStates = [
  'approval',
  'waiting',
  'running',
  'committing',
  'sent',
  'failed',
  'cancelled',
  'unknown',
] as const;
export type TransferState = (typeof transferStates)[number];

const recipient = z.object({
  email: z.string(),
  number: z.string().optional(),
  nick: z.string().optional(),
  json: z.string(),
});
export type TransferRecipient = z.infer<typeof recipient>;

/** The source file, and the name that recipients will see. */
const file = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  stamp: z.string(),
  /** Of the content at the review, in hexadecimal. Only for snippets, because other files can't be edited in Slack. */
  sha256: z.string().optional(),
  /** What its first bytes showed at the review, if a rule depended on them. */
  kind: z.string().optional(),
});
export type TransferFile = z.infer<typeof file>;

const snapshot = z.object({
  /** Digests of related history entries from before the send; absent if there were too many. */
  related: z.array(z.string()).optional(),
  /** How many related entries matched exactly. */
  identical: z.number(),
  /** Total number of entries in the history. */
  total: z.number(),
  /** How many identical transfers were sent earlier and hadn't appeared in the history yet. */
  hidden: z.number(),
});
export type Snapshot = z.infer<typeof snapshot>;

const result = z.object({ code: z.string(), message: z.string(), names: z.array(z.string()) });
export type Result = z.infer<typeof result>;

const decision = z.object({
  is: z.enum(['approved', 'declined']),
  by: z.string(),
  at: z.number(),
  reason: z.string().optional(),
});
export type Decision = z.infer<typeof decision>;

/** Set if the transfer needs approval. Times are in milliseconds since 1970. */
const approval = z.object({
  /** The rules that applied when approval was requested. Only these are approved. */
  rules: z.array(z.enum(approvalRules)),
  askedAt: z.number(),
  /** When the wait for a decision ends. */
  until: z.number(),
  /** The sender's note to the approvers. Untrusted. */
  note: z.string().optional(),
  decision: decision.optional(),
  /** Set if it was approved before, and that approval ended before the transfer was sent. */
  isRenewed: z.boolean().optional(),
});
export type Approval = z.infer<typeof approval>;

export const transferDetails = stored(
  'transfers.details_encrypted',
  z.object({
    recipients: z.array(recipient),
    files: z.array(file),
    message: z.string(),
    expiresAfter: z.number(),
    /** The date that the sender chose. `expiresAfter` is then the time left until that date, updated at sending. */
    expiryDate: z.string().optional(),
    /** Unexpected files that an admin has reviewed and wants deleted first. */
    removeUnexpected: z.array(z.string()).default([]),
    /** The unsent transfer that this one retries. */
    after: z.string().optional(),
    /** The service's names for the files, in the same order. */
    uploadedNames: z.array(z.string()).optional(),
    snapshot: snapshot.optional(),
    /** The result of scanning for malware: how many files were clean, and which couldn't be scanned. */
    scan: z
      .object({ clean: z.number(), unscanned: z.array(z.object({ name: z.string(), reason: z.string() })) })
      .optional(),
    /** Uploaded files disappeared before we deleted them: a sign that the transfer was sent. */
    vanished: z.boolean().optional(),
    /** Why the transfer wasn't sent, or why its outcome is unknown. */
    result: result.optional(),
    /** What the history shows instead of what was confirmed. */
    difference: result.optional(),
    /** Set if the transfer ended in doubt: when checks of the history stop, in milliseconds since 1970. */
    watchedUntil: z.number().optional(),
    /** Set if the transfer ended in doubt and its history entry was found later: when, and the state before that. */
    found: z.object({ at: z.number(), after: z.enum(['failed', 'unknown']) }).optional(),
    /** Ids of transfers in doubt that this one could duplicate. The review warned the sender. */
    earlier: z.array(z.string()).optional(),
    /** Set if a transfer and its resend were both sent: the other one's id, and whether people have been notified. */
    duplicate: z.object({ of: z.string(), isNotified: z.boolean() }).optional(),
    /** The message that asks an admin to delete unexpected files. */
    asked: z.object({ channel: z.string(), ts: z.string() }).optional(),
    /** The modal that the sender confirmed in. While it is open, it shows the transfer's progress. */
    dialog: z.string().optional(),
    /** The location of the transfer's card. */
    location: z.record(z.string(), z.string()).optional(),
    /** Whether the review found a recipient without earlier transfers. Undefined if that isn't known. */
    hasNewRecipient: z.boolean().optional(),
    approval: approval.optional(),
    /** The locations of the approvers' cards, with the person or channel that each was posted to. */
    approverCards: z.array(z.record(z.string(), z.string())).optional(),
    /** The earlier transfer that this one repeats. */
    repeats: z.string().optional(),
    /** For a request: when it was asked again, in milliseconds since 1970. New uploads belong to the later request. */
    askedAgainAt: z.number().optional(),
    /** The id of that request. */
    askedAgainBy: z.string().optional(),
    /** For a request with a checklist: the message as it was typed, and the points. `message` has both. */
    checklist: z
      .object({
        message: z.string(),
        points: z.array(
          z.object({ text: z.string(), ticked: z.object({ by: z.string(), at: z.number() }).optional() }),
        ),
        /** The location of the message in which the points are ticked off. */
        location: z.record(z.string(), z.string()).optional(),
      })
      .optional(),
    /** For a request: what the contacts sent. */
    answers: z
      .array(
        z.object({
          item: z.string(),
          from: z.string(),
          files: z.number(),
          /** Names of the first files. Only the latest answers have them. */
          names: z.array(z.string()).optional(),
          at: z.number(),
          /** See `InboxItem`. */
          foundAt: z.number().optional(),
        }),
      )
      .optional(),
  }),
);
export type TransferDetails = z.infer<typeof transferDetails>;
export type Checklist = NonNullable<TransferDetails['checklist']>;

export interface Transfer {
  id: string;
  kind: TransferKind;
  workspace: string;
  account: string;
  person: string;
  state: TransferState;
  cancelledBy: string | undefined;
  createdAt: Date;
  /** Set just before the call that sends. */
  committedAt: Date | undefined;
  endedAt: Date | undefined;
  notifiedAt: Date | undefined;
  /** Whether the history has shown the transfer. */
  isSeen: boolean;
  /** Undefined after their retention period. */
  details: TransferDetails | undefined;
}

export type TransferWithDetails = Transfer & { details: TransferDetails };

export interface TransferChange {
  state?: TransferState;
  details?: Partial<TransferDetails>;
  cancelledBy?: string;
  committed?: boolean;
  entryHash?: string | undefined;
  ended?: boolean;
  /** Moves the transfer to the end of its account's queue, as if it were confirmed now. */
  queued?: boolean;
}

type Client = Pick<pg.ClientBase, 'query'>;

type AddedDetails = Pick<
  TransferDetails,
  | 'location'
  | 'answers'
  | 'duplicate'
  | 'asked'
  | 'askedAgainAt'
  | 'askedAgainBy'
  | 'dialog'
  | 'approverCards'
  | 'checklist'
>;

/**
 * Reads and writes the table of transfers. Queries that only requests or the history need are in
 * `kinds/request/repository.ts` and `history/repository.ts`. The store deletes rows by age or workspace.
 */
export interface Transfers {
  insert(
    client: Client,
    transfer: Pick<Transfer, 'id' | 'kind' | 'workspace' | 'account' | 'person'> & {
      details: TransferDetails;
      state?: 'approval' | 'waiting';
    },
  ): Promise<boolean>;
  read(id: string): Promise<Transfer | undefined>;
  /** Changes a transfer that hasn't ended, under a row lock. Nothing changes if `decide` resolves with undefined. */
  change(
    id: string,
    decide: (transfer: TransferWithDetails, client: pg.PoolClient) => Promise<TransferChange | undefined>,
  ): Promise<TransferWithDetails | undefined>;
  markNotified(id: string): Promise<void>;
  /** Like `change`, for a transfer that has ended. People are notified again. */
  revise: Transfers['change'];
  /** Adds details that don't affect what is sent. Also works after the end. `within`: the client of a transaction. */
  annotate(
    id: string,
    detailsToAdd: (details: TransferDetails) => AddedDetails | undefined,
    within?: pg.PoolClient,
  ): Promise<void>;
  /** An account's transfers that were committed in the last day and that the history hasn't shown. */
  listUnseen(account: string): AsyncIterable<TransferWithDetails>;
  /** The person's transfers that were committed in the last two days and are in one of these states, newest first. */
  listRecent(
    filter: Pick<Transfer, 'workspace' | 'person' | 'kind'>,
    states: readonly TransferState[],
  ): AsyncIterable<TransferWithDetails>;
  /** Whether another transfer of the account was interrupted during preparation. Call under the account's lock. */
  hasInterrupted(transfer: Pick<Transfer, 'id' | 'account'>): Promise<boolean>;
  /** How many transfers of the same account were queued earlier and haven't ended. */
  countAhead(id: string): Promise<number>;
  /** A workspace's transfers of these kinds that were confirmed and haven't started, in the order of their queue. */
  listQueued(client: Client, workspace: string, kinds: readonly TransferKind[]): Promise<QueuedTransfer[]>;
  /** How many transfers wait for approval: in all workspaces, or of one person. */
  countWaitingForApproval(of?: { workspace?: string; person?: string }, within?: Client): Promise<number>;
  /** Transfers of a workspace that haven't ended, oldest first; by default, `bounds.transfersListed` of them. */
  listActive(filter: TransferFilter): Promise<Transfer[]>;
  /** The same without their details, which can be large. Without a limit, all of them. */
  listActiveStates(filter: TransferFilter): Promise<ActiveTransfer[]>;
  /** Transfers of a workspace that have ended, newest first; by default, `bounds.transfersListed` of them. */
  listEnded(filter: TransferFilter): Promise<Transfer[]>;
  /** For more of them than can be in memory at once. */
  eachActive(filter: TransferFilter): AsyncIterable<Transfer>;
  eachEnded(filter: TransferFilter): AsyncIterable<Transfer>;
  isActive(id: string): Promise<boolean>;
  /** Whether a transfer that wasn't sent was confirmed again. */
  isRetried(id: string): Promise<boolean>;
}

/** Which transfers to list: of one person, or of everyone in the workspace. */
export interface TransferFilter extends Pick<Transfer, 'workspace'> {
  person?: string;
  /** Leaves out this person's. */
  notOf?: string;
  kind?: TransferKind;
  states?: readonly TransferState[];
  limit?: number;
}

export type QueuedTransfer = Pick<Transfer, 'id' | 'kind' | 'account' | 'createdAt'>;
export type ActiveTransfer = Pick<Transfer, 'id' | 'kind' | 'person' | 'state' | 'createdAt'>;

const rowSchema = z.object({
  id: z.string(),
  kind: z.enum(transferKinds),
  workspace: z.string(),
  account: z.string(),
  person: z.string(),
  state: z.enum(transferStates),
  cancelled_by: z.string().nullable(),
  created_at: z.date(),
  committed_at: z.date().nullable(),
  ended_at: z.date().nullable(),
  notified_at: z.date().nullable(),
  entry_hash: z.string().nullable(),
  details_encrypted: z.string().nullable(),
});
const columns = Object.keys(rowSchema.shape).join(', ');

/** Reads the rows of the table. Their details are encrypted. */
export function transferTable({ columnCipher }: Pick<Store, 'columnCipher'>) {
  const { encrypt, decrypt } = columnCipher('transfers', 'details_encrypted');
  const transferOf = (stored: unknown): Transfer => {
    const { cancelled_by, created_at, committed_at, ended_at, notified_at, entry_hash, details_encrypted, ...row } =
      rowSchema.parse(stored);
    return {
      ...row,
      cancelledBy: cancelled_by ?? undefined,
      createdAt: created_at,
      committedAt: committed_at ?? undefined,
      endedAt: ended_at ?? undefined,
      notifiedAt: notified_at ?? undefined,
      isSeen: entry_hash !== null,
      details: details_encrypted === null ? undefined : transferDetails.parse(decrypt(row.id, details_encrypted)),
    };
  };

  async function select(client: Client, condition: string, values: readonly unknown[]): Promise<Transfer[]> {
    const { rows } = await client.query(`select ${columns} from dropline.transfers where ${condition}`, [...values]);
    return rows.map(transferOf);
  }

  /** Reads any number of rows, in batches of at most `bounds.readBytes`, or one row. */
  async function* selectEach(client: Client, condition: string, values: readonly unknown[]): AsyncGenerator<Transfer> {
    const { rows: sizes } = await client.query<{ id: string; bytes: number | null }>(
      `select id, octet_length(details_encrypted) as bytes from dropline.transfers where ${condition}`,
      [...values],
    );
    for (const batch of batchesBySize(sizes)) {
      const ids = batch.map(({ id }) => id);
      yield* await select(client, 'id = any ($1) order by array_position($1, id)', [ids]);
    }
  }

  async function* selectEachWithDetails(...query: Parameters<typeof selectEach>): AsyncGenerator<TransferWithDetails> {
    for await (const transfer of selectEach(...query)) if (hasDetails(transfer)) yield transfer;
  }

  return {
    /** Only for few rows, because all of them are in memory. */
    select,
    selectEach,
    selectEachWithDetails,
    encrypt,
  };
}

export function transfersIn(store: Pick<Store, 'pool' | 'columnCipher'>): Transfers {
  const { pool } = store;
  const { select, selectEach, selectEachWithDetails, encrypt } = transferTable(store);

  /** The SQL condition and its values. */
  function matching(condition: string, filter: TransferFilter): [condition: string, values: unknown[]] {
    const { workspace, person, notOf, kind, states, limit } = filter;
    const values: unknown[] = [workspace];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const filters = [
      'workspace = $1',
      ...(person === undefined ? [] : [`person = ${bind(person)}`]),
      ...(notOf === undefined ? [] : [`person <> ${bind(notOf)}`]),
      ...(kind === undefined ? [] : [`kind = ${bind(kind)}`]),
      ...(states === undefined ? [] : [`state = any (${bind(states)})`]),
    ];
    const limitSql = limit === undefined ? '' : ` limit ${bind(limit)}`;
    return [`${filters.join(' and ')} and ${condition}${limitSql}`, values];
  }

  const active = (filter: TransferFilter) => matching('ended_at is null order by created_at', filter);
  const ended = (filter: TransferFilter) => matching('ended_at is not null order by created_at desc', filter);

  async function addDetails(
    client: pg.PoolClient,
    id: string,
    detailsToAdd: (details: TransferDetails) => Partial<TransferDetails> | undefined,
  ): Promise<void> {
    const [transfer] = await select(client, 'id = $1 for update', [id]);
    const added = hasDetails(transfer) ? detailsToAdd(transfer.details) : undefined;
    if (!hasDetails(transfer) || added === undefined) return;
    const encrypted = encrypt(id, { ...transfer.details, ...added });
    await client.query('update dropline.transfers set details_encrypted = $2 where id = $1', [id, encrypted]);
  }

  const changeWhere = (
    condition: 'ended_at is null' | 'ended_at is not null',
    id: string,
    decide: Parameters<Transfers['change']>[1],
  ) =>
    inTransaction(pool, async (client) => {
      const [transfer] = await select(client, `id = $1 and ${condition} for update`, [id]);
      if (!hasDetails(transfer)) return undefined;
      const change = await decide(transfer, client);
      if (change === undefined) return undefined;
      const { state = transfer.state, cancelledBy = transfer.cancelledBy, entryHash } = change;
      const { committed = false, ended = false, queued = false } = change;
      const details = { ...transfer.details, ...change.details };
      await client.query(
        `update dropline.transfers set state = $2, cancelled_by = $3, details_encrypted = $4,
           committed_at = coalesce(committed_at, case when $5 then now() end),
           entry_hash = coalesce($6, entry_hash),
           ended_at = coalesce(ended_at, case when $7 then now() end),
           created_at = case when $8 then now() else created_at end,
           expires_after = case when expires_after is not null then $9::float8 end,
           notified_at = case when ended_at is null then notified_at end
         where id = $1`,
        [
          id,
          state,
          cancelledBy ?? null,
          encrypt(id, details),
          committed,
          entryHash ?? null,
          ended,
          queued,
          details.expiresAfter,
        ],
      );
      return { ...transfer, state, cancelledBy, details, isSeen: transfer.isSeen || entryHash !== undefined };
    });

  return {
    async insert(client, { id, kind, workspace, account, person, details, state = 'waiting' }) {
      const { rowCount } = await client.query(
        `insert into dropline.transfers (id, kind, workspace, account, person, state, details_encrypted, expires_after)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
        [
          id,
          kind,
          workspace,
          account,
          person,
          state,
          encrypt(id, details),
          kind === 'request' ? details.expiresAfter : null,
        ],
      );
      return rowCount === 1;
    },
    async read(id) {
      const [transfer] = await select(pool, 'id = $1', [id]);
      return transfer;
    },
    change: (id, decide) => changeWhere('ended_at is null', id, decide),
    revise: (id, decide) => changeWhere('ended_at is not null', id, decide),
    async markNotified(id) {
      await pool.query('update dropline.transfers set notified_at = now() where id = $1', [id]);
    },
    annotate: (id, detailsToAdd, within) =>
      within === undefined
        ? inTransaction(pool, (client) => addDetails(client, id, detailsToAdd))
        : addDetails(within, id, detailsToAdd),
    listUnseen: (account) =>
      selectEachWithDetails(pool, `account = $1 and committed_at > now() - interval '1 day' and entry_hash is null`, [
        account,
      ]),
    listRecent: ({ workspace, person, kind }, states) =>
      selectEachWithDetails(
        pool,
        `workspace = $1 and person = $2 and kind = $3 and state = any ($4)
           and committed_at > now() - interval '2 days'
         order by created_at desc`,
        [workspace, person, kind, states],
      ),
    async hasInterrupted({ id, account }) {
      const { rowCount } = await pool.query(
        `select from dropline.transfers where account = $1 and id <> $2 and state = 'running' and ended_at is null
           and created_at > now() - interval '1 day' limit 1`,
        [account, id],
      );
      return rowCount === 1;
    },
    async countAhead(id) {
      const { rows } = await pool.query<{ ahead: number }>(
        `select count(*)::int as ahead from dropline.transfers one join dropline.transfers other using (account)
         where one.id = $1 and other.ended_at is null and other.created_at < one.created_at
           and 'approval' not in (one.state, other.state)`,
        [id],
      );
      return rows[0]?.ahead ?? 0;
    },
    async listQueued(client, workspace, kinds) {
      const { rows } = await client.query<QueuedTransfer>(
        `select id, kind, account, created_at as "createdAt" from dropline.transfers
         where workspace = $1 and kind = any ($2) and state = 'waiting' and ended_at is null order by created_at`,
        [workspace, kinds],
      );
      return rows;
    },
    async countWaitingForApproval({ workspace, person } = {}, within = pool) {
      const { rows } = await within.query<{ count: number }>(
        `select count(*)::int as count from dropline.transfers where ended_at is null and state = 'approval'
           and ($1::text is null or workspace = $1 and person = $2)`,
        [workspace, person],
      );
      return rows[0]?.count ?? 0;
    },
    listActive: (filter) => select(pool, ...active({ limit: bounds.transfersListed, ...filter })),
    async listActiveStates(filter) {
      const [condition, values] = active(filter);
      const { rows } = await pool.query<ActiveTransfer>(
        `select id, kind, person, state, created_at as "createdAt" from dropline.transfers where ${condition}`,
        values,
      );
      return rows;
    },
    listEnded: (filter) => select(pool, ...ended({ limit: bounds.transfersListed, ...filter })),
    eachActive: (filter) => selectEach(pool, ...active(filter)),
    eachEnded: (filter) => selectEach(pool, ...ended(filter)),
    async isActive(id) {
      const { rowCount } = await pool.query('select from dropline.transfers where id = $1 and ended_at is null', [id]);
      return rowCount === 1;
    },
    async isRetried(id) {
      const { rowCount } = await pool.query('select from dropline.transfers where id = $1', [retryIdOf(id)]);
      return rowCount === 1;
    },
  };
}

export function hasDetails(transfer: Transfer | undefined): transfer is TransferWithDetails {
  return transfer?.details !== undefined;
}

/** What was or would be sent, for an audit entry. */
export const auditContentOf = ({ files, recipients }: Pick<TransferDetails, 'files' | 'recipients'>) => ({
  files: files.map(({ name, size }) => ({ name, size })),
  recipients: recipients.map(({ email }) => email),
});

/** The id of a transfer's retry. It is the same for every click, so that there is only one retry. */
export function retryIdOf(id: string): string {
  const hex = createHash('sha256').update(`after ${id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
