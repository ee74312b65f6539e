import type pg from 'pg';

/**
 * Sets how far the database's clock is ahead. Needs a superuser. Column defaults and the job engine's functions call
 * `now()` too, so it is replaced in the catalog. This affects only this database.
 */
export async function setDatabaseClock(client: Pick<pg.Client, 'query'>, passedMs: number): Promise<void> {
  const shifted = (clock: string) => `select ${clock} + interval '${passedMs} milliseconds'`;
  await client.query(`
    create or replace function pg_catalog.now() returns timestamptz language sql stable parallel safe
      as $$ ${shifted('pg_catalog.transaction_timestamp()')} $$;
    create or replace function pg_catalog.clock_timestamp() returns timestamptz language sql volatile parallel safe
      as $$ ${shifted('pg_catalog.timeofday()::timestamptz')} $$;
    -- Prepared statements contain the old function. A change of the schemas makes all sessions plan them again.
    create schema sandbox_clock;
    drop schema sandbox_clock;
  `);
}

/** Resolves when no job or poll is due, or after this time: a job can take long, or wait for a service that is down. */
export async function waitForDueWork(client: Pick<pg.Client, 'query'>, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  const due = `
    select from graphile_worker._private_jobs where run_at <= now()
    union all select from dropline.polls where next_at <= now() and paused_at is null limit 1`;
  while (performance.now() < end && (await client.query(due)).rowCount !== 0) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
