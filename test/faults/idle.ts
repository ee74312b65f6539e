import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import type { Lane } from './lane.ts';

/** Long enough for a busy machine. */
const idleTimeoutMs = 120_000;

/**
 * Call after the last fault. Skips all delays. Resolves with an empty list when no work is left and the checks pass, or
 * at the deadline with the work that is left.
 */
export async function untilIdle(
  lane: Lane,
  workspaces: readonly Workspace[],
  isCorrect: () => boolean,
): Promise<string[]> {
  const { rows } = await lane.services.store.pool.query<{ now: Date }>('select now()');
  const since = rows[0]?.now ?? new Date();
  const deadline = Date.now() + idleTimeoutMs;
  for (;;) {
    await runJobsNow(lane);
    await lane.slack.untilIdle();
    const unfinished = await listUnfinished(lane, workspaces, since);
    if ((unfinished.length === 0 && isCorrect()) || Date.now() > deadline) return unfinished;
    await sleep(100);
  }
}

/** Makes waiting jobs and polls due now, even if they are hours away, and unannounced items old enough for a digest. */
async function runJobsNow({ services }: Lane): Promise<void> {
  const { pool } = services.store;
  await pool.query(
    'update graphile_worker._private_jobs set run_at = now() where locked_at is null and run_at > now()',
  );
  // Locks in the order of the product: an update that locks the rows as it finds them can deadlock with a post of several.
  await pool.query(
    `with locked as materialized (
       select workspace, account, url from dropline.inbox_items where announced_at is null order by url for update
     )
     update dropline.inbox_items as item set first_seen = first_seen - interval '1 day' from locked
     where (item.workspace, item.account, item.url) = (locked.workspace, locked.account, locked.url)`,
  );
  await pool.query('update dropline.polls set next_at = now() where paused_at is null and next_at > now()');
}

/** Lists unfinished work: inboxes not read after `since`, jobs, accounts held while committing, unreported outcomes. */
async function listUnfinished({ services }: Lane, workspaces: readonly Workspace[], since: Date): Promise<string[]> {
  const { pool } = services.store;
  const ids = workspaces.map(({ id }) => id);
  const { rows } = await pool.query<{ description: string }>(
    `select 'the inbox of ' || workspace || ' is not read: ' || coalesce(last_failure, '') as description
       from dropline.polls where workspace = any($1) and coalesce(last_success_at <= $2, true)
     union all
     select 'a job is left: ' || task_identifier || ' ' || coalesce(last_error, '') from graphile_worker.jobs
     union all
     select 'an account is held because of ' || reason from dropline.holds where reason = 'committing'
     union all
     select 'not reported: ' || kind || ' ' || state from dropline.transfers where notified_at is null`,
    [ids, since],
  );
  return rows.map(({ description }) => description);
}

/** Stops polling these inboxes, so that the next run doesn't wait for them. */
export async function stopPolling({ services }: Lane, workspaces: readonly Workspace[]): Promise<void> {
  await services.store.pool.query('update dropline.polls set paused_at = now() where workspace = any($1)', [
    workspaces.map(({ id }) => id),
  ]);
}
