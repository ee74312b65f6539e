import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { bounds } from '../lib/bounds.ts';
import { truncate } from '../lib/truncate.ts';
import { type AuditAction, type AuditDetails, auditActions } from './audit-actions.ts';
import { batchesBySize } from './batches.ts';
import type { createCredentials } from './credentials.ts';
import { auditId, createColumnCipher } from './encrypted-columns.ts';
import type { Cipher } from './encryption.ts';

/** One action of a person. The service sees only one account; the audit records who acted. */
export interface NewAuditEntry<A extends AuditAction = AuditAction> {
  workspace: string;
  /** What was acted on. Its desk is recorded by name, because it can be renamed and disconnected. */
  account?: string | undefined;
  person: string;
  action: A;
  outcome: string;
  /** The id that the log contains and that the person is shown after an unexpected failure. */
  reference: string;
  details?: Partial<AuditDetails<A>>;
}

export interface AuditEntry<A extends AuditAction = AuditAction> extends Omit<NewAuditEntry<A>, 'account' | 'details'> {
  number: number;
  at: Date;
  /** Its number and hash in the chain; undefined until it has them. */
  place?: { number: number; hash: string } | undefined;
  /**
   * Undefined if the entry can't be trusted, and its other fields neither: it was changed in the database, or encrypted
   * with a key that is gone.
   */
  details: AuditDetails<A> | undefined;
}

export interface AuditFilter {
  person?: string;
  action?: string;
  reference?: string;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
  /** Only entries with a lower number. For the next page, pass the last number of the page before. */
  before?: number;
  limit?: number;
}

export type Audit = ReturnType<typeof createAudit>;

interface Row extends Omit<AuditEntry, 'number' | 'place' | 'details'> {
  number: string;
  position: string | null;
  hash: string;
  id: string;
  encrypted: string;
}

/** What an entry says is part of the context of its details: a change of any column makes them undecryptable. */
export function createAudit(
  pool: pg.Pool,
  cipher: Cipher,
  { nameOf }: Pick<ReturnType<typeof createCredentials>, 'nameOf'>,
) {
  const { encrypt, decrypt } = createColumnCipher(cipher, 'audit', 'details_encrypted');

  function detailsOf({ action, id, encrypted }: Row): AuditDetails | undefined {
    try {
      return auditActions[action].parse(decrypt(JSON.stringify(JSON.parse(id)), encrypted));
    } catch {
      return undefined;
    }
  }

  return {
    /** With `within`, the entry is committed with that client's transaction. */
    async record<A extends AuditAction>(
      { workspace, account, person, action, outcome, reference, details = {} }: NewAuditEntry<A>,
      within: Pick<pg.ClientBase, 'query'> = pool,
    ): Promise<void> {
      const id = randomUUID();
      // Without microseconds, which a Date can't have.
      const at = new Date();
      const context = JSON.stringify([id, at.getTime(), workspace, person, action, outcome, reference]);
      const desk = await nameOf({ workspace, account }, within);
      const parsed = auditActions[action].parse({ ...(desk !== undefined && { desk }), ...details });
      await within.query(
        `insert into dropline.audit (id, at, workspace, person, action, outcome, reference, details_encrypted)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, at, workspace, person, action, outcome, reference, encrypt(context, truncate(parsed, bounds.auditChars))],
      );
    },
    /** Newest first. Fewer than the limit if they are large, but at least one if there is any. */
    async list(
      workspace: string,
      { person, action, reference, from, to, before, limit = 50 }: AuditFilter = {},
    ): Promise<AuditEntry[]> {
      const { rows: sizes } = await pool.query<{ number: string; bytes: number }>(
        `select number, octet_length(details_encrypted) as bytes from dropline.audit
         where workspace = $1 and ($2::text is null or person = $2) and ($3::text is null or action = $3)
           and ($4::bigint is null or number < $4)
           and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
           and ($8::text is null or reference = $8)
         order by number desc limit $5`,
        [workspace, person, action, before, limit, from, to, reference],
      );
      const [batch = []] = batchesBySize(sizes);
      const { rows } = await pool.query<Row>(
        `select ${auditId} as id, number, at, workspace, person, action, outcome, reference,
           details_encrypted as encrypted, chain_number as position, chain_hash as hash
         from dropline.audit where workspace = $1 and number = any ($2) order by number desc`,
        [workspace, batch.map(({ number }) => number)],
      );
      return rows.map((row) => {
        const { id: _, encrypted: __, number, position, hash, ...columns } = row;
        const place = position === null ? undefined : { number: Number(position), hash };
        return { ...columns, number: Number(number), place, details: detailsOf(row) };
      });
    },
  };
}
