import type pg from 'pg';

export interface Batches {
  /** Rows per statement, few enough to stay well below the statement timeout. */
  rows: number;
  /** Statements per run; the next run continues. */
  most: number;
}

const usual: Batches = { rows: 5_000, most: 100 };

interface Wanted {
  table: string;
  where: string;
  values?: unknown[];
  /** The statement for a `batch` of rows, after which they must no longer match `where`. Deletes them by default. */
  act?: string;
}

/** Deletes any number of rows, in statements that never reach the timeout. Resolves with how many. */
export async function inBatches(pool: pg.Pool, wanted: Wanted, { rows, most }: Batches = usual): Promise<number> {
  const { table, where, values = [], act = `delete from dropline.${table} using batch` } = wanted;
  // Skips rows that are being changed, because they can stop matching. The lock keeps the ctid of the others valid.
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
