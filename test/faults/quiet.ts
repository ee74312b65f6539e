import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import type { Lane } from './lane.ts';

/** What is not right by then stays wrong, even on a busy machine. */
const patienceMs = 120_000;

/**
 * Runs after the last fault and skips all delays. Resolves when nothing is left to do and everything is right, or after
 * the deadline with what is still open.
 */
export async function untilQuiet(
  lane: Lane,
  workspaces: readonly Workspace[],
  isRight: () => boolean,
): Promise<string[]> {
  const { rows } = await lane.services.store.pool.query<{ now: Date }>('select now()');
  const since = rows[0]?.now ?? new Date();
  const deadline = Date.now() + patienceMs;
  for (;;) {
    await hurry(lane);
    await lane.slack.settled();
    const left = await unfinished(lane, workspaces, since);
    if ((left.length === 0 && isRight()) || Date.now() > deadline) return left;
    await sleep(100);
  }
}

/** Starts waiting retries now, even if they are hours away. */
async function hurry({ services }: Lane): Promise<void> {
  const { pool } = services.store;
  await pool.query(
    'update graphile_worker._private_jobs set run_at = now() where locked_at is null and run_at > now()',
  );
  await pool.query('update dropline.polls set next_at = now() where paused_at is null and next_at > now()');
}

/**
 * Every inbox must have been read since then, no job left, no account held while committing, every outcome reported.
 */
async function unfinished({ services }: Lane, workspaces: readonly Workspace[], since: Date): Promise<string[]> {
  const { pool } = services.store;
  const ids = workspaces.map(({ id }) => id);
  const { rows } = await pool.query<{ words: string }>(
    `select 'the inbox of ' || workspace || ' is not read: ' || coalesce(last_failure, '') as words
       from dropline.polls where workspace = any($1) and coalesce(last_success_at <= $2, true)
     union all
     select 'a job is left: ' || task_identifier || ' ' || coalesce(last_error, '') from graphile_worker.jobs
     union all
     select 'an account is held because of ' || reason from dropline.holds where reason = 'committing'
     union all
     select 'nobody was told of ' || kind || ' ' || state from dropline.dispatches where told_at is null`,
    [ids, since],
  );
  return rows.map(({ words }) => words);
}

/** The run is over, so the next one need not wait for these inboxes. */
export async function stopPolling({ services }: Lane, workspaces: readonly Workspace[]): Promise<void> {
  await services.store.pool.query('update dropline.polls set paused_at = now() where workspace = any($1)', [
    workspaces.map(({ id }) => id),
  ]);
}
