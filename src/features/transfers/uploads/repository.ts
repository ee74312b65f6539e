import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Store } from '../../../store/index.ts';

/** The names of our files that are, or could be, on an account. */
export interface Uploads {
  /** Call before an upload: if this process dies during the upload, the next job still recognises the file as ours. */
  record(workspace: string, account: string, name: string): Promise<void>;
  /** Lists the names of one workspace, or of all workspaces that share the account. */
  listNames(account: string, workspace?: string): Promise<Set<string>>;
  /** Deletes the names of files that were deleted. */
  forget(account: string, names: ReadonlySet<string>): Promise<void>;
  /**
   * Deletes the names of files that the account doesn't list. Keeps names of the last hour, because an interrupted
   * upload can arrive late.
   */
  forgetOld(account: string, names: ReadonlySet<string>): Promise<void>;
}

export function uploadsIn({ pool, columnCipher }: Pick<Store, 'pool' | 'columnCipher'>): Uploads {
  const { encrypt, decrypt } = columnCipher('uploads', 'name_encrypted');
  const rowsOf = async (account: string, workspace?: string) => {
    const { rows } = await pool.query<{ id: string; name_encrypted: string }>(
      'select id, name_encrypted from dropline.uploads where account = $1 and ($2::text is null or workspace = $2)',
      [account, workspace ?? null],
    );
    return rows.map(({ id, name_encrypted }) => ({ id, name: z.string().parse(decrypt(id, name_encrypted)) }));
  };
  const remove = async (account: string, names: ReadonlySet<string>, minAge: string) => {
    if (names.size === 0) return;
    const ids = (await rowsOf(account)).filter(({ name }) => names.has(name)).map(({ id }) => id);
    const sql = 'delete from dropline.uploads where id = any($1) and created_at <= now() - $2::interval';
    await pool.query(sql, [ids, minAge]);
  };
  return {
    async record(workspace, account, name) {
      const id = randomUUID();
      await pool.query(
        'insert into dropline.uploads (id, workspace, account, name_encrypted) values ($1, $2, $3, $4)',
        [id, workspace, account, encrypt(id, name)],
      );
    },
    listNames: async (account, workspace) => new Set((await rowsOf(account, workspace)).map(({ name }) => name)),
    forget: (account, names) => remove(account, names, '0'),
    forgetOld: (account, names) => remove(account, names, '1 hour'),
  };
}
