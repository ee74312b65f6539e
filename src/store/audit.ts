import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { bounds } from '../bounds.ts';
import { truncate } from '../truncate.ts';
import { createColumnCipher } from './encrypted-columns.ts';
import type { Cipher } from './encryption.ts';

/** One action of a person. The service sees only one account; the audit records who acted. */
export interface NewAuditEntry {
  workspace: string;
  person: string;
  action: string;
  outcome: string;
  /** The id that the log contains and that the person is shown after an unexpected failure. */
  reference: string;
  details?: unknown;
}

export interface AuditEntry extends NewAuditEntry {
  number: number;
  at: Date;
}

export interface AuditFilter {
  person?: string | undefined;
  action?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  /** Only entries with a lower number. For the next page, pass the last number of the page before. */
  before?: number | undefined;
  limit?: number | undefined;
}

export interface Audit {
  /** With `within`, the entry is committed with that client's transaction. */
  record(entry: NewAuditEntry, within?: Pick<pg.ClientBase, 'query'>): Promise<void>;
  /** Newest first. */
  list(workspace: string, filter?: AuditFilter): Promise<AuditEntry[]>;
}

export function createAudit(pool: pg.Pool, cipher: Cipher): Audit {
  const { encrypt, decrypt } = createColumnCipher(cipher, 'audit', 'details_encrypted');
  return {
    async record({ workspace, person, action, outcome, reference, details }, within = pool) {
      const id = randomUUID();
      const encrypted = details === undefined ? null : encrypt(id, truncate(details, bounds.auditChars));
      await within.query(
        `insert into dropline.audit (id, workspace, person, action, outcome, reference, details_encrypted)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [id, workspace, person, action, outcome, reference, encrypted],
      );
    },
    async list(workspace, { person, action, from, to, before, limit = 50 } = {}) {
      const { rows } = await pool.query(
        `select id, number, at, workspace, person, action, outcome, reference, details_encrypted from dropline.audit
         where workspace = $1 and ($2::text is null or person = $2) and ($3::text is null or action = $3)
           and ($4::bigint is null or number < $4)
           and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
         order by number desc limit $5`,
        [workspace, person ?? null, action ?? null, before ?? null, limit, from ?? null, to ?? null],
      );
      return rows.map(({ id, number, details_encrypted: encrypted, ...row }) => ({
        ...row,
        number: Number(number),
        ...(encrypted === null ? {} : { details: decrypt(id, encrypted) }),
      }));
    },
  };
}
