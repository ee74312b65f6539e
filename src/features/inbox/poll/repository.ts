import type pg from 'pg';
import type { Desk } from '../../../store/index.ts';

/** A due poll that this worker has claimed. */
export interface PollClaim {
  workspace: string;
  account: string;
  /** Whether no poll of the account has succeeded yet. In the first one, no item counts as new. */
  isBaseline: boolean;
  digest: string | undefined;
  /** Whether it is the first one since a restore from a backup, or items from then aren't announced yet. */
  isRestored: boolean;
  /** The sending time of the newest item that a poll has ever left out, in seconds since 1970. */
  leftOutUntil: number | undefined;
  failures: number;
  /** How long it had been due when it was claimed. */
  dueMs: number;
  /** Identifies this claim: if the poll takes too long, another worker can claim it. */
  lease: string;
}

export interface PollState {
  lastAt: Date | undefined;
  lastSuccessAt: Date | undefined;
  lastFailure: string | undefined;
  pausedAt: Date | undefined;
  nextAt: Date;
  /** Set from a restore from a backup until what the backup doesn't have is announced. */
  restoredAt?: Date;
  /** Number of items beyond the limit, which Dropline doesn't show. */
  leftOut: number;
}

type Client = Pick<pg.ClientBase, 'query'>;

/** After this time, another worker can claim the poll of a worker that died. No poll takes that long. */
export const defaultLeaseMs = 360_000;

/**
 * Makes the poll of the account due now, and ends that of the account which it replaces. Deletes the digest, so that the
 * whole inbox is read and announced. Resolves with whether it will be the account's first poll, which posts a summary.
 */
export async function startPolling(
  client: Client,
  { workspace, account }: Required<Desk>,
  replaced = account,
): Promise<boolean> {
  const other = [workspace, account, replaced];
  await client.query('delete from dropline.polls where workspace = $1 and account <> $2 and account = $3', other);
  const { rows } = await client.query<{ isBaseline: boolean }>(
    `insert into dropline.polls (workspace, account, next_at) values ($1, $2, now())
     on conflict (workspace, account) do update set paused_at = null, failures = 0, last_failure = null, leased_until = null,
       next_at = now(), digest = null
     returning last_success_at is null as "isBaseline"`,
    [workspace, account],
  );
  return rows[0]?.isBaseline === true;
}

/** Claims polls that are due, the longest due first, except those of `fullHosts`. */
export async function claimPolls(
  client: Client,
  limit: number,
  { fullHosts = [], leaseMs = defaultLeaseMs }: { fullHosts?: readonly string[]; leaseMs?: number } = {},
): Promise<PollClaim[]> {
  const { rows } = await client.query<ClaimedRow>(
    `update dropline.polls set leased_until = now() + $2 * interval '1 millisecond' where (workspace, account) in (
       select workspace, account from dropline.polls
       where paused_at is null and next_at <= now() and (leased_until is null or leased_until < now())
         and split_part(account, '/', 3) <> all ($3)
       order by next_at limit $1 for update skip locked
     ) returning workspace, account, last_success_at is null as "isBaseline", digest,
       restored_at is not null as "isRestored", left_out_until, failures,
       extract(epoch from now() - next_at)::float8 * 1000 as "dueMs", leased_until::text as lease`,
    [limit, leaseMs, fullHosts],
  );
  return rows.map(({ digest, left_out_until, ...row }) => ({
    ...row,
    leftOutUntil: left_out_until ?? undefined,
    digest: digest ?? undefined,
  }));
}

interface ClaimedRow {
  workspace: string;
  account: string;
  isBaseline: boolean;
  digest: string | null;
  isRestored: boolean;
  left_out_until: number | null;
  failures: number;
  dueMs: number;
  lease: string;
}

/** The workspace was reconnected or deleted, or another worker has claimed the poll. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

export interface PollResult {
  /** Undefined if the next poll has to read the whole inbox again. */
  digest: string | undefined;
  /** Number of items beyond the limit; undefined if nothing has changed since the previous poll. */
  leftOut?: number;
  leftOutUntil?: number;
}

/**
 * The next poll is due at the workspace's fixed offset in the interval of $2 milliseconds, even if this poll was late.
 * After the first poll and after a failure, the offset is random, so that workspaces that connect or recover together
 * aren't polled together.
 */
export async function recordPollSuccess(
  client: Client,
  claim: PollClaim,
  everyMs: number,
  { digest, leftOut, leftOutUntil }: PollResult,
): Promise<void> {
  const { rowCount } = await client.query(
    `update dropline.polls set leased_until = null, failures = 0, digest = $3, last_at = now(),
       last_success_at = now(), last_failure = null, left_out = coalesce($6, left_out),
       left_out_until = case when $6::int is null then left_out_until else $7 end,
       next_at = case
         when failures > 0 or last_success_at is null then now() + (0.5 + random()) * $2 * interval '1 millisecond'
         else next_at
           + ceil(greatest(1, extract(epoch from now() - next_at) * 1000 / $2)) * $2 * interval '1 millisecond'
       end
     where workspace = $1 and account = $5 and leased_until::text = $4`,
    [claim.workspace, everyMs, digest, claim.lease, claim.account, leftOut, leftOutUntil],
  );
  if (rowCount !== 1) throw new ClaimLostError('poll claim lost');
}

/** Ends polls that found nothing new, in one statement; `next_at` as in `recordPollSuccess`. Resolves with the claims that were still valid. */
export async function recordUnchangedPolls(
  client: Client,
  claims: readonly PollClaim[],
  everyMs: number,
): Promise<Set<PollClaim | undefined>> {
  const { rows } = await client.query<{ number: number }>(
    `update dropline.polls set leased_until = null, failures = 0, last_at = now(), last_success_at = now(),
       last_failure = null, next_at = case
         when failures > 0 then now() + (0.5 + random()) * $2 * interval '1 millisecond'
         else next_at
           + ceil(greatest(1, extract(epoch from now() - next_at) * 1000 / $2)) * $2 * interval '1 millisecond'
       end
     from unnest($1::text[], $3::text[], $4::text[]) with ordinality as ended (workspace, account, lease, number)
     where polls.workspace = ended.workspace and polls.account = ended.account and leased_until::text = ended.lease
     returning ended.number::int`,
    [
      claims.map(({ workspace }) => workspace),
      everyMs,
      claims.map(({ account }) => account),
      claims.map(({ lease }) => lease),
    ],
  );
  return new Set(rows.map(({ number }) => claims[number - 1]));
}

const maxPauseMs = 3_600_000;

export async function recordPollFailure(
  client: Client,
  claim: PollClaim,
  everyMs: number,
  code: string,
): Promise<void> {
  const maxMs = Math.max(everyMs, maxPauseMs);
  const pauseMs = Math.min(everyMs * 2 ** Math.min(claim.failures, 20), maxMs) * (0.75 + Math.random() / 2);
  await client.query(
    `update dropline.polls set leased_until = null, failures = failures + 1, last_at = now(), last_failure = $3,
       next_at = now() + $2 * interval '1 millisecond'
     where workspace = $1 and account = $5 and leased_until::text = $4`,
    [claim.workspace, pauseMs, code, claim.lease, claim.account],
  );
}

/** Pauses until the workspace is reconnected or an admin resumes polling. */
export async function pausePolling(client: Client, claim: PollClaim, code: string): Promise<void> {
  await client.query(
    `update dropline.polls set paused_at = now(), leased_until = null, last_at = now(), last_failure = $2
     where workspace = $1 and account = $4 and leased_until::text = $3`,
    [claim.workspace, code, claim.lease, claim.account],
  );
}

/** Lets another worker claim the poll at once. */
export async function releaseClaim(client: Client, claim: PollClaim): Promise<void> {
  await client.query(
    'update dropline.polls set leased_until = null where workspace = $1 and account = $2 and leased_until::text = $3',
    [claim.workspace, claim.account, claim.lease],
  );
}

export async function expectClaim(client: Client, claim: PollClaim): Promise<void> {
  const { rowCount } = await client.query(
    'select from dropline.polls where workspace = $1 and account = $2 and leased_until::text = $3',
    [claim.workspace, claim.account, claim.lease],
  );
  if (rowCount !== 1) throw new ClaimLostError('poll claim lost');
}

/** Makes the poll due now, unless it is paused or was done in the last seconds. Resolves with whether it is due. */
export async function requestPoll(client: Client, { workspace, account }: Required<Desk>): Promise<boolean> {
  const { rowCount } = await client.query(
    `update dropline.polls set next_at = least(next_at, now()) where workspace = $1 and account = $2 and paused_at is null
       and (last_at is null or last_at < now() - interval '5 seconds')`,
    [workspace, account],
  );
  return rowCount === 1;
}

export async function pollState(
  client: Client,
  { workspace, account }: Required<Desk>,
): Promise<PollState | undefined> {
  const { rows } = await client.query(
    `select last_at, last_success_at, last_failure, paused_at, next_at, restored_at, left_out from dropline.polls
     where workspace = $1 and account = $2`,
    [workspace, account],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    lastAt: row.last_at ?? undefined,
    lastSuccessAt: row.last_success_at ?? undefined,
    lastFailure: row.last_failure ?? undefined,
    pausedAt: row.paused_at ?? undefined,
    nextAt: row.next_at,
    restoredAt: row.restored_at ?? undefined,
    leftOut: row.left_out,
  };
}

/** Marks the inboxes of all workspaces as restored from a backup, and makes the next poll read them as a whole. */
export async function markRestored(client: Client): Promise<void> {
  await client.query(
    'update dropline.polls set restored_at = now(), digest = null, leased_until = null, next_at = least(next_at, now())',
  );
}

/** What arrived after the backup is announced. */
export async function endRestore(client: Client, { workspace, account }: Required<Desk>): Promise<void> {
  const sql = 'update dropline.polls set restored_at = null where workspace = $1 and account = $2';
  await client.query(sql, [workspace, account]);
}
