import type pg from 'pg';
import { bounds } from '../lib/bounds.ts';

export interface Batches {
  /** Rows per statement, few enough to stay well below the statement timeout. */
  rows: number;
  /** Statements per run; the next run continues. */
  maxStatements: number;
}

const defaultBatches: Batches = { rows: 5_000, maxStatements: 100 };

interface BatchedStatement {
  table: string;
  where: string;
  values?: unknown[];
  /** What to do with the rows in `batch`; they must not match `where` afterwards. Deletes them by default. */
  statement?: string;
}

/** Deletes or updates many rows in short statements. Resolves with the number of rows. */
export async function inBatches(
  pool: pg.Pool,
  target: BatchedStatement,
  { rows, maxStatements }: Batches = defaultBatches,
): Promise<number> {
  const { table, where, values = [], statement = `delete from dropline.${table} using batch` } = target;
  // Skips rows that another transaction is changing, because they can stop matching. The rows in the batch are locked,
  // so their ctid stays valid.
  const sql = `with batch as materialized (
      select ctid from dropline.${table} where ${where} limit ${rows} for update skip locked
    ) ${statement} where ${table}.ctid = batch.ctid`;
  let total = 0;
  for (let batch = 0; batch < maxStatements; batch += 1) {
    const { rowCount } = await pool.query(sql, values);
    total += rowCount ?? 0;
    if (rowCount !== rows) break;
  }
  return total;
}

/**
 * Splits rows into batches to read, by the size of their values: at most `bounds.readBytes`, or one row. Read the sizes
 * with `octet_length`, which doesn't read the values.
 */
export function* batchesBySize<T extends { bytes: number | null }>(rows: readonly T[]): Generator<T[]> {
  let batch: T[] = [];
  let batchBytes = 0;
  for (const row of rows) {
    const bytes = row.bytes ?? 0;
    if (batch.length > 0 && batchBytes + bytes > bounds.readBytes) {
      yield batch;
      batch = [];
      batchBytes = 0;
    }
    batch.push(row);
    batchBytes += bytes;
  }
  if (batch.length > 0) yield batch;
}
