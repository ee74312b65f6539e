import type pg from 'pg';
import { z } from 'zod';
import type { Desk, Store } from '../../store/index.ts';

/** What an admin can pause. These names are stored. */
export const pauseTargets = ['sending', 'requests', 'downloads'] as const;
export type PauseTarget = (typeof pauseTargets)[number];

export interface Pause {
  /** Everyone in the workspace can see it. */
  reason: string;
  person: string;
  since: Date;
}

export type Pauses = Partial<Record<PauseTarget, Pause>>;

type Client = Pick<pg.ClientBase, 'query'>;

interface Row {
  account: string;
  target: PauseTarget;
  person: string;
  since: Date;
  reason_encrypted: string;
}

/** Repository of what is paused: one row per workspace, account and target. */
export function pausesIn({ pool, columnCipher }: Pick<Store, 'pool' | 'columnCipher'>) {
  const { encrypt, decrypt } = columnCipher('pauses', 'reason_encrypted');
  const idOf = (workspace: string, account: string, target: PauseTarget) =>
    JSON.stringify([workspace, account, target]);
  const select = `select account, target, person, since, reason_encrypted from dropline.pauses
    where workspace = $1 and ($2::text is null or account = $2)`;
  const pauseOf = (workspace: string, { account, target, person, since, reason_encrypted }: Row): Pause => ({
    reason: z.string().parse(decrypt(idOf(workspace, account, target), reason_encrypted)),
    person,
    since,
  });

  return {
    async read({ workspace, account }: Desk): Promise<Pauses> {
      const { rows } = await pool.query<Row>(select, [workspace, account]);
      return Object.fromEntries(rows.map((row) => [row.target, pauseOf(workspace, row)]));
    },
    /**
     * Locks the pause until the end of the transaction. A resume waits for that, and then sees what the transaction
     * did.
     */
    async findAndLock(client: Client, { workspace, account }: Desk, target: PauseTarget): Promise<Pause | undefined> {
      const { rows } = await client.query<Row>(`${select} and target = $3 for share`, [workspace, account, target]);
      return rows[0] && pauseOf(workspace, rows[0]);
    },
    /** Resolves with false if it is already paused. */
    async insert(
      client: Client,
      { workspace, account }: Required<Desk>,
      target: PauseTarget,
      { reason, person }: Omit<Pause, 'since'>,
    ): Promise<boolean> {
      const { rowCount } = await client.query(
        `insert into dropline.pauses (workspace, account, target, person, reason_encrypted)
         values ($1, $2, $3, $4, $5) on conflict do nothing`,
        [workspace, account, target, person, encrypt(idOf(workspace, account, target), reason)],
      );
      return rowCount === 1;
    },
    /** What was paused stays paused when an account replaces another one. */
    async moveTo(client: Client, { workspace, account }: Required<Desk>, replaced: string): Promise<void> {
      const { rows } = await client.query<Row>(select, [workspace, replaced]);
      for (const row of rows) {
        await client.query(
          `update dropline.pauses set account = $4, reason_encrypted = $5
           where workspace = $1 and account = $2 and target = $3`,
          [
            workspace,
            row.account,
            row.target,
            account,
            encrypt(idOf(workspace, account, row.target), pauseOf(workspace, row).reason),
          ],
        );
      }
    },
    /** Resolves with false if it isn't paused. */
    async delete(client: Client, { workspace, account }: Desk, target: PauseTarget): Promise<boolean> {
      const { rowCount } = await client.query(
        'delete from dropline.pauses where workspace = $1 and ($2::text is null or account = $2) and target = $3',
        [workspace, account, target],
      );
      return rowCount === 1;
    },
    /** In how many workspaces each target is paused. */
    async count(): Promise<Record<PauseTarget, number>> {
      const { rows } = await pool.query<{ target: PauseTarget; count: number }>(
        'select target, count(*)::int as count from dropline.pauses group by target',
      );
      return {
        sending: 0,
        requests: 0,
        downloads: 0,
        ...Object.fromEntries(rows.map((row) => [row.target, row.count])),
      };
    },
  };
}
