import type pg from 'pg';
import { batchesBySize } from './batches.ts';
import { contextOf } from './encrypted-keyv.ts';
import type { Cipher } from './encryption.ts';

/** A column of encrypted texts. `id` is SQL for a row's id; `contextOf` returns the encryption context for that id. */
interface EncryptedColumn {
  table: string;
  column: string;
  id: string;
  contextOf: (id: string) => string;
}

const columnOf = (table: string, column: string, id: string): EncryptedColumn => ({
  table,
  column,
  id,
  contextOf: (value) => contextIn(table, column, value),
});

const compositeId = (parts: string) => `json_build_array(${parts})::text`;

/** The id is parsed and serialised again, because Postgres and JavaScript put different spaces into a JSON array. */
const columnWithCompositeId = (table: string, column: string, parts: string): EncryptedColumn => ({
  ...columnOf(table, column, compositeId(parts)),
  contextOf: (id) => contextIn(table, column, JSON.stringify(JSON.parse(id))),
});

/** All columns of an audit entry, so that none can be changed unnoticed. The time is in milliseconds since 1970. */
const auditParts = 'id, extract(epoch from at)::numeric * 1000, workspace, person, action, outcome, reference';
export const auditId = compositeId(auditParts);

export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'keyv', column: 'value', id: 'key', contextOf },
  columnWithCompositeId('audit', 'details_encrypted', auditParts),
  columnOf('chains', 'ends_encrypted', 'workspace'),
  columnOf('signing_keys', 'key_encrypted', 'id'),
  columnOf('transfers', 'content_encrypted', 'id::text'),
  columnOf('transfers', 'progress_encrypted', 'id::text'),
  columnOf('transfers', 'approval_encrypted', 'id::text'),
  columnOf('transfers', 'locations_encrypted', 'id::text'),
  columnOf('transfers', 'answers_encrypted', 'id::text'),
  columnWithCompositeId('checkpoints', 'note_encrypted', 'run, step'),
  columnWithCompositeId('inbox_items', 'details_encrypted', 'workspace, account, url'),
  columnOf('contact_edits', 'before_encrypted', 'id::text'),
  columnOf('contact_edits', 'after_encrypted', 'id::text'),
  columnOf('contact_edits', 'change_encrypted', 'id::text'),
  columnOf('contact_edits', 'origin_encrypted', 'id::text'),
  columnOf('contact_edits', 'report_encrypted', 'id::text'),
  columnOf('contact_edits', 'restored_encrypted', 'id::text'),
  columnOf('uploads', 'name_encrypted', 'id::text'),
  columnWithCompositeId('pauses', 'reason_encrypted', 'workspace, account, target'),
];

/** @param id the id of the row; a composite one as a JSON array, so that its parts are unambiguous */
export function contextIn(table: string, column: string, id: string): string {
  return `${table}.${column}:${id}`;
}

/** Encrypts and decrypts the values of one column, as JSON. */
export interface ColumnCipher {
  encrypt(id: string, value: unknown): string;
  decrypt(id: string, encrypted: string): unknown;
}

export function createColumnCipher(cipher: Cipher, table: string, column: string, maxBytes?: number): ColumnCipher {
  return {
    encrypt: (id, value) => cipher.encrypt(contextIn(table, column, id), JSON.stringify(value), maxBytes),
    decrypt: (id, encrypted) => JSON.parse(cipher.decrypt(contextIn(table, column, id), encrypted)),
  };
}

export interface Reencrypted {
  encrypted: number;
  /** Rows that no key in SECRET_KEY decrypts. They stay unchanged. */
  undecryptable: string[];
}

/**
 * Re-encrypts with the current key what was encrypted with an older one. Other processes can keep running if they have
 * the new list of keys; a process with the old list would still add texts under the old key.
 */
export async function reencrypt(pool: pg.Pool, cipher: Cipher, batchSize?: number): Promise<Reencrypted> {
  let encrypted = 0;
  const undecryptable: string[] = [];
  for (const { table, column, id, contextOf: context } of encryptedColumns) {
    for await (const row of readTexts(pool, { table, column, id }, { batchSize })) {
      if (cipher.isCurrent(row.text)) continue;
      const text = tryReencrypt(cipher, context(row.id), row.text);
      if (text === undefined) {
        undecryptable.push(context(row.id));
        continue;
      }
      // Only if the text is unchanged: a concurrent change is already encrypted with the current key.
      const { rowCount } = await pool.query(
        `update dropline.${table} set ${column} = $1 where ${id} = $2 and ${column} = $3`,
        [text, row.id, row.text],
      );
      encrypted += rowCount ?? 0;
    }
  }
  return { encrypted, undecryptable };
}

interface EncryptedText {
  id: string;
  text: string;
}

/** Reads the texts of a column in the order of their ids, in batches of limited size. */
async function* readTexts(
  client: Pick<pg.ClientBase, 'query'>,
  { table, column, id }: Pick<EncryptedColumn, 'table' | 'column' | 'id'>,
  { where = 'true', values = [], batchSize = 500 }: { where?: string; values?: string[]; batchSize?: number },
): AsyncGenerator<EncryptedText> {
  const parameter = `$${values.length + 1}`;
  for (let lastId = ''; ; ) {
    const { rows: sizes } = await client.query<{ id: string; bytes: number }>(
      `select ${id} as id, octet_length(${column}) as bytes from dropline.${table}
       where ${where} and ${column} <> '' and (${id}) collate "C" > ${parameter}
       order by (${id}) collate "C" limit ${batchSize}`,
      [...values, lastId],
    );
    const [batch = []] = batchesBySize(sizes);
    const last = batch.at(-1);
    if (last === undefined) return;
    lastId = last.id;
    const { rows } = await client.query<EncryptedText>(
      `select ${id} as id, ${column} as text from dropline.${table}
       where ${where} and ${column} <> '' and ${id} = any (${parameter}) order by (${id}) collate "C"`,
      [...values, batch.map((row) => row.id)],
    );
    yield* rows;
  }
}

function tryReencrypt(cipher: Cipher, context: string, text: string): string | undefined {
  try {
    return cipher.encrypt(context, cipher.decrypt(context, text), Number.POSITIVE_INFINITY);
  } catch {
    return undefined;
  }
}

/** SQL for the rows of the workspace in $1, in the tables whose values can change after they were written. */
const ofWorkspace: Record<string, string> = {
  transfers: 'workspace = $1',
  inbox_items: 'workspace = $1',
  keyv: `starts_with(substr(key, strpos(key, ':') + 1) || ' ', $1 || ' ')`,
};

/**
 * Replaces a text in the encrypted values of a workspace, except in its audit. Call in a transaction. Reads every value,
 * which is only for what happens rarely.
 *
 * @param change returns the new value; only called for values that contain the text
 */
export async function rewriteEncrypted(
  client: pg.ClientBase,
  cipher: Cipher,
  workspace: string,
  text: string,
  change: (value: string) => string,
): Promise<void> {
  for (const { table, column, id, contextOf: context } of encryptedColumns) {
    const scope = ofWorkspace[table];
    if (scope === undefined) continue;
    const values = [table === 'keyv' ? encodeURIComponent(workspace) : workspace];
    for await (const row of readTexts(client, { table, column, id }, { where: scope, values })) {
      if (!cipher.decrypt(context(row.id), row.text).includes(text)) continue;
      // Read again under a lock: the value can have changed. Only rows with the text are locked.
      const { rows } = await client.query<EncryptedText>(
        `select ${id} as id, ${column} as text from dropline.${table}
         where ${scope} and ${column} <> '' and ${id} = $2 for update`,
        [...values, row.id],
      );
      for (const locked of rows) {
        const value = cipher.encrypt(context(row.id), change(cipher.decrypt(context(row.id), locked.text)));
        await client.query(`update dropline.${table} set ${column} = $1 where ${id} = $2`, [value, row.id]);
      }
    }
  }
}

/** Replaces a channel's id in the columns that aren't encrypted. */
export async function renameChannel(client: pg.ClientBase, workspace: string, from: string, to: string): Promise<void> {
  await client.query(
    `update dropline.inbox_items set belongs_to = array_replace(belongs_to, $2, $3)
     where workspace = $1 and $2 = any (belongs_to)`,
    [workspace, from, to],
  );
}
