import type pg from 'pg';
import { z } from 'zod';
import type { Store } from '../../../store/index.ts';

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
  target: PauseTarget;
  person: string;
  since: Date;
  reason_sealed: string;
}

/** Repository of what is paused: one row per workspace and target. */
export function pausesIn({ pool, columnCipher }: Pick<Store, 'pool' | 'columnCipher'>) {
  const { encrypt, decrypt } = columnCipher('pauses', 'reason_sealed');
  const idOf = (workspace: string, target: PauseTarget) => JSON.stringify([workspace, target]);
  const select = 'select target, person, since, reason_sealed from dropline.pauses where workspace = $1';
  const pauseOf = (workspace: string, { target, person, since, reason_sealed }: Row): Pause => ({
    reason: z.string().parse(decrypt(idOf(workspace, target), reason_sealed)),
    person,
    since,
  });

  return {
    async read(workspace: string): Promise<Pauses> {
      const { rows } = await pool.query<Row>(select, [workspace]);
      return Object.fromEntries(rows.map((row) => [row.target, pauseOf(workspace, row)]));
    },
    /**
     * Locks the pause until the end of the transaction. A resume waits for that, and then sees what the transaction
     * did.
     */
    async findAndLock(client: Client, workspace: string, target: PauseTarget): Promise<Pause | undefined> {
      const { rows } = await client.query<Row>(`${select} and target = $2 for share`, [workspace, target]);
      return rows[0] && pauseOf(workspace, rows[0]);
    },
    /** Resolves with false if it is already paused. */
    async insert(workspace: string, target: PauseTarget, { reason, person }: Omit<Pause, 'since'>): Promise<boolean> {
      const { rowCount } = await pool.query(
        `insert into dropline.pauses (workspace, target, person, reason_sealed) values ($1, $2, $3, $4)
         on conflict do nothing`,
        [workspace, target, person, encrypt(idOf(workspace, target), reason)],
      );
      return rowCount === 1;
    },
    /** Resolves with false if it isn't paused. */
    async delete(client: Client, workspace: string, target: PauseTarget): Promise<boolean> {
      const { rowCount } = await client.query('delete from dropline.pauses where workspace = $1 and target = $2', [
        workspace,
        target,
      ]);
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
