import type pg from 'pg';

/** When each workspace is polled next: a table that all workers share. */
export interface Turn {
  workspace: string;
  digest: string | undefined;
  failures: number;
  /** What was there before the workspace was connected is not news. */
  isBaseline: boolean;
  /** Tells this turn from a later one, which somebody took because this one took too long. */
  lease: string;
}

export interface PollState {
  lastAt: Date | undefined;
  lastSuccessAt: Date | undefined;
  lastFailure: string | undefined;
  pausedAt: Date | undefined;
  nextAt: Date;
}

type Client = Pick<pg.ClientBase, 'query'>;

/** Whoever has a turn and dies loses it after this time. */
const leaseSeconds = 300;

/** From now on. Where the account is another, what it has is not news. */
export async function startPolling(client: Client, workspace: string, isNewAccount: boolean): Promise<void> {
  await client.query(
    `insert into dropline.polls (workspace, next_at) values ($1, now())
     on conflict (workspace) do update set paused_at = null, failures = 0, last_failure = null, leased_until = null,
       next_at = now(),
       digest = case when $2 then null else polls.digest end,
       baseline_at = case when $2 then null else polls.baseline_at end`,
    [workspace, isNewAccount],
  );
}

export async function claimTurns(client: Client, most: number): Promise<Turn[]> {
  const { rows } = await client.query<ClaimedRow>(
    `update dropline.polls set leased_until = now() + $2 * interval '1 second' where workspace in (
       select workspace from dropline.polls
       where paused_at is null and next_at <= now() and (leased_until is null or leased_until < now())
       order by next_at limit $1 for update skip locked
     ) returning workspace, digest, failures, baseline_at is null as fresh, leased_until::text as lease`,
    [most, leaseSeconds],
  );
  return rows.map(({ fresh, digest, ...row }) => ({ ...row, digest: digest ?? undefined, isBaseline: fresh }));
}

interface ClaimedRow {
  workspace: string;
  digest: string | null;
  failures: number;
  fresh: boolean;
  lease: string;
}

/** The workspace was connected anew, or somebody else has the turn. */
export class TurnLostError extends Error {
  override readonly name = 'TurnLostError';
}

/**
 * Keeps its place in the interval, whenever it was that its turn came; a new one finds a place at random, so that a
 * thousand that came at once are spread over the interval.
 */
export async function pollSucceeded(client: Client, turn: Turn, everyMs: number, digest: string): Promise<void> {
  const { rowCount } = await client.query(
    `update dropline.polls set leased_until = null, failures = 0, digest = $3, last_at = now(), last_success_at = now(),
       last_failure = null, baseline_at = coalesce(baseline_at, now()),
       next_at = case
         when failures > 0 or baseline_at is null then now() + (0.5 + random()) * $2 * interval '1 millisecond'
         else next_at + ceil(greatest(1, extract(epoch from now() - next_at) * 1000 / $2)) * $2 * interval '1 millisecond'
       end
     where workspace = $1 and leased_until::text = $4`,
    [turn.workspace, everyMs, digest, turn.lease],
  );
  if (rowCount !== 1) throw new TurnLostError('this turn is over');
}

const longestPauseMs = 3_600_000;

export async function pollFailed(client: Client, turn: Turn, everyMs: number, code: string): Promise<void> {
  const pauseMs = Math.min(everyMs * 2 ** Math.min(turn.failures, 20), longestPauseMs) * (0.75 + Math.random() / 2);
  await client.query(
    `update dropline.polls set leased_until = null, failures = failures + 1, last_at = now(), last_failure = $3,
       next_at = now() + $2 * interval '1 millisecond' where workspace = $1 and leased_until::text = $4`,
    [turn.workspace, pauseMs, code, turn.lease],
  );
}

/** Not before the workspace is connected anew or an admin asks for it. Whether it was not paused before. */
export async function pausePolling(client: Client, workspace: string, code: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `update dropline.polls set paused_at = now(), leased_until = null, last_at = now(), last_failure = $2
     where workspace = $1 and paused_at is null`,
    [workspace, code],
  );
  return rowCount === 1;
}

export async function stopPolling(client: Client, workspace: string): Promise<void> {
  await client.query('delete from dropline.polls where workspace = $1', [workspace]);
}

export async function pollState(client: Client, workspace: string): Promise<PollState | undefined> {
  const { rows } = await client.query(
    `select last_at, last_success_at, last_failure, paused_at, next_at from dropline.polls where workspace = $1`,
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
  };
}
