import type pg from 'pg';

export interface Batches {
  /** Rows of one statement: as many as go well within its time. */
  rows: number;
  /** Statements of one run; the next run goes on. */
  most: number;
}

const usual: Batches = { rows: 5_000, most: 100 };

interface Wanted {
  table: string;
  where: string;
  values?: unknown[];
  /** What is done with a `batch` of the rows, which are then no longer wanted; they are deleted unless told. */
  act?: string;
}

/** Deletes what may be any number of rows, by statements that never run into the time limit. Resolves with how many. */
export async function inBatches(pool: pg.Pool, wanted: Wanted, { rows, most }: Batches = usual): Promise<number> {
  const { table, where, values = [], act = `delete from dropline.${table} using batch` } = wanted;
  // What somebody is changing may be wanted no longer. Locked rows stay where they are, so their place finds them.
  const sql = `with batch as materialized (
      select ctid from dropline.${table} where ${where} limit ${rows} for update skip locked
    ) ${act} where ${table}.ctid = batch.ctid`;
  let done = 0;
  for (let batch = 0; batch < most; batch += 1) {
    const { rowCount } = await pool.query(sql, values);
    done += rowCount ?? 0;
    if (rowCount !== rows) break;
  }
  return done;
}
