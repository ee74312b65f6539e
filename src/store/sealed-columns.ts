import type pg from 'pg';
import { placeOf } from './sealed-keyv.ts';
import type { Vault } from './sealing.ts';

/** A column of encrypted texts, the SQL for the id of its rows, and the context that each text is encrypted for. */
interface SealedColumn {
  table: string;
  column: string;
  id: string;
  placeOf: (id: string) => string;
}

const columnOf = (table: string, column: string, id: string): SealedColumn => ({
  table,
  column,
  id,
  placeOf: (value) => placeIn(table, column, value),
});

/** For a composite id. It is serialised again, because Postgres and JavaScript put different spaces into an array. */
const columnOfParts = (table: string, column: string, parts: string): SealedColumn => ({
  ...columnOf(table, column, `json_build_array(${parts})::text`),
  placeOf: (id) => placeIn(table, column, JSON.stringify(JSON.parse(id))),
});

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'keyv', column: 'value', id: 'key', placeOf },
  columnOf('audit', 'details_sealed', 'id::text'),
  columnOf('dispatches', 'details_sealed', 'id::text'),
  columnOfParts('checkpoints', 'note_sealed', 'run, step'),
  columnOfParts('inbox_items', 'details_sealed', 'workspace, account, url'),
  columnOf('contact_images', 'before_sealed', 'id::text'),
  columnOf('contact_images', 'after_sealed', 'id::text'),
  columnOf('uploads', 'name_sealed', 'id::text'),
];

/** @param id the id of the row; a composite one as a JSON array, so that its parts are unambiguous */
export function placeIn(table: string, column: string, id: string): string {
  return `${table}.${column}:${id}`;
}

/** Encrypts and decrypts the values of one column, as JSON. */
export interface Sealer {
  seal(id: string, value: unknown): string;
  open(id: string, sealed: string): unknown;
}

export function createSealer(vault: Vault, table: string, column: string): Sealer {
  return {
    seal: (id, value) => vault.seal(placeIn(table, column, id), JSON.stringify(value)),
    open: (id, sealed) => JSON.parse(vault.open(placeIn(table, column, id), sealed)),
  };
}

export interface SealedAgain {
  sealed: number;
  /** Rows that none of our keys decrypts; they are left unchanged. */
  broken: string[];
}

/**
 * Re-encrypts with the current key whatever was encrypted with an older one. Can run next to processes that have the
 * new list of keys. A process that still encrypts with the old key adds more to re-encrypt.
 */
export async function sealAgain(pool: pg.Pool, vault: Vault, batch = 500): Promise<SealedAgain> {
  let sealed = 0;
  const broken: string[] = [];
  for (const { table, column, id, placeOf: place } of sealedColumns) {
    let after = '';
    for (;;) {
      const { rows } = await pool.query<{ id: string; text: string }>(
        `select ${id} as id, ${column} as text from dropline.${table}
         where ${column} is not null and (${id}) collate "C" > $1 order by (${id}) collate "C" limit $2`,
        [after, batch],
      );
      for (const row of rows) {
        if (vault.isCurrent(row.text)) continue;
        const text = sealedAgain(vault, place(row.id), row.text);
        if (text === undefined) {
          broken.push(place(row.id));
          continue;
        }
        // Only if the text is unchanged: a concurrent change is already encrypted with the current key.
        const { rowCount } = await pool.query(
          `update dropline.${table} set ${column} = $1 where ${id} = $2 and ${column} = $3`,
          [text, row.id, row.text],
        );
        sealed += rowCount ?? 0;
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
  }
  return { sealed, broken };
}

function sealedAgain(vault: Vault, place: string, text: string): string | undefined {
  try {
    return vault.seal(place, vault.open(place, text));
  } catch {
    return undefined;
  }
}
