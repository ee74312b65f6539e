import type pg from 'pg';

/** A claimed row of the polling schedule, which all workers share. */
export interface Turn {
  workspace: string;
  /** The account that was read last. The first reading of another account isn't news. */
  account: string | undefined;
  digest: string | undefined;
  /** Send time of the newest item that was ever left out of a reading, in seconds since 1970. */
  leftOutUntil: number | undefined;
  failures: number;
  /** Distinguishes this turn from a later one, which another worker claimed because this one took too long. */
  lease: string;
}

export interface PollState {
  lastAt: Date | undefined;
  lastSuccessAt: Date | undefined;
  lastFailure: string | undefined;
  pausedAt: Date | undefined;
  nextAt: Date;
  /** Items that the service has and Dropline doesn't show, because there are too many. */
  leftOut: number;
}

type Client = Pick<pg.ClientBase, 'query'>;

/** A worker that dies loses its turn after this time. A reading can't take that long (see its limits). */
export const usualLeaseMs = 360_000;

/** Starts at once. Reads the whole inbox even if nothing changed, so that unannounced items are announced too. */
export async function startPolling(client: Client, workspace: string): Promise<void> {
  await client.query(
    `insert into dropline.polls (workspace, next_at) values ($1, now())
     on conflict (workspace) do update set paused_at = null, failures = 0, last_failure = null, leased_until = null,
       next_at = now(), digest = null`,
    [workspace],
  );
}

export async function claimTurns(client: Client, most: number, leaseMs = usualLeaseMs): Promise<Turn[]> {
  const { rows } = await client.query<ClaimedRow>(
    `update dropline.polls set leased_until = now() + $2 * interval '1 millisecond' where workspace in (
       select workspace from dropline.polls
       where paused_at is null and next_at <= now() and (leased_until is null or leased_until < now())
       order by next_at limit $1 for update skip locked
     ) returning workspace, account, digest, left_out_until, failures, leased_until::text as lease`,
    [most, leaseMs],
  );
  return rows.map(({ account, digest, left_out_until, ...row }) => ({
    ...row,
    leftOutUntil: left_out_until ?? undefined,
    account: account ?? undefined,
    digest: digest ?? undefined,
  }));
}

interface ClaimedRow {
  workspace: string;
  account: string | null;
  digest: string | null;
  left_out_until: number | null;
  failures: number;
  lease: string;
}

/** The workspace was reconnected or deleted, or another worker has the turn. */
export class TurnLostError extends Error {
  override readonly name = 'TurnLostError';
}

export interface Reading {
  account: string;
  digest: string;
  /** Undefined if nothing has changed since the previous reading. */
  leftOut?: number;
  leftOutUntil?: number | undefined;
}

/**
 * Keeps the workspace's offset in the interval, even if its turn came late. A new workspace gets a random offset, so
 * that a thousand that connect at once are spread over the interval.
 */
export async function pollSucceeded(
  client: Client,
  turn: Turn,
  everyMs: number,
  { account, digest, leftOut, leftOutUntil }: Reading,
): Promise<void> {
  const { rowCount } = await client.query(
    `update dropline.polls set leased_until = null, failures = 0, account = $5, digest = $3, last_at = now(),
       last_success_at = now(), last_failure = null, left_out = coalesce($6, left_out),
       left_out_until = case when $6::int is null then left_out_until else $7 end,
       next_at = case
         when failures > 0 or account is distinct from $5 then now() + (0.5 + random()) * $2 * interval '1 millisecond'
         else next_at + ceil(greatest(1, extract(epoch from now() - next_at) * 1000 / $2)) * $2 * interval '1 millisecond'
       end
     where workspace = $1 and leased_until::text = $4`,
    [turn.workspace, everyMs, digest, turn.lease, account, leftOut, leftOutUntil],
  );
  if (rowCount !== 1) throw new TurnLostError('this turn is over');
}

const longestPauseMs = 3_600_000;

export async function pollFailed(client: Client, turn: Turn, everyMs: number, code: string): Promise<void> {
  const most = Math.max(everyMs, longestPauseMs);
  const pauseMs = Math.min(everyMs * 2 ** Math.min(turn.failures, 20), most) * (0.75 + Math.random() / 2);
  await client.query(
    `update dropline.polls set leased_until = null, failures = failures + 1, last_at = now(), last_failure = $3,
       next_at = now() + $2 * interval '1 millisecond' where workspace = $1 and leased_until::text = $4`,
    [turn.workspace, pauseMs, code, turn.lease],
  );
}

/** Pauses until the workspace is reconnected or an admin asks for a poll. */
export async function pausePolling(client: Client, turn: Turn, code: string): Promise<void> {
  await client.query(
    `update dropline.polls set paused_at = now(), leased_until = null, last_at = now(), last_failure = $2
     where workspace = $1 and leased_until::text = $3`,
    [turn.workspace, code, turn.lease],
  );
}

/** Lets another worker claim the turn at once. */
export async function giveTurnBack(client: Client, turn: Turn): Promise<void> {
  await client.query('update dropline.polls set leased_until = null where workspace = $1 and leased_until::text = $2', [
    turn.workspace,
    turn.lease,
  ]);
}

export async function expectTurn(client: Client, turn: Turn): Promise<void> {
  const { rowCount } = await client.query(
    'select from dropline.polls where workspace = $1 and leased_until::text = $2',
    [turn.workspace, turn.lease],
  );
  if (rowCount !== 1) throw new TurnLostError('this turn is over');
}

export async function pollState(client: Client, workspace: string): Promise<PollState | undefined> {
  const { rows } = await client.query(
    `select last_at, last_success_at, last_failure, paused_at, next_at, left_out from dropline.polls where workspace = $1`,
    [workspace],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    lastAt: row.last_at ?? undefined,
    lastSuccessAt: row.last_success_at ?? undefined,
    lastFailure: row.last_failure ?? undefined,
    pausedAt: row.paused_at ?? undefined,
    nextAt: row.next_at,
    leftOut: row.left_out,
  };
}
