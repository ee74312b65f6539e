import { inBatches, type Store } from '../store/index.ts';
import type { Json, Step } from './kinds.ts';

/**
 * Records the finished steps of a run in the database, so that a worker that takes the run over doesn't repeat them.
 *
 * @param check rejects if this worker can no longer work on this run
 */
export function createSteps(store: Store, run: string, check: () => Promise<void>): Step {
  const { pool } = store;
  const { encrypt, decrypt } = cipherOf(store, run);
  return async <T extends Json>(name: string, work: () => Promise<T>): Promise<T> => {
    const { rows } = await pool.query<{ note_encrypted: string | null }>(
      'select note_encrypted from dropline.checkpoints where run = $1 and step = $2',
      [run, name],
    );
    if (rows[0] !== undefined) return decrypt(name, rows[0].note_encrypted) as T;
    await check();
    const result = await work();
    await pool.query(
      'insert into dropline.checkpoints (run, step, note_encrypted) values ($1, $2, $3) on conflict do nothing',
      [run, name, encrypt(name, result)],
    );
    return result;
  };
}

/** Deletes checkpoints that are over an hour old and whose job no longer exists. */
export async function sweepCheckpoints({ pool }: Store): Promise<number> {
  // Private table: the engine's view has no payload.
  const where = `at < now() - interval '1 hour'
    and not exists (select from graphile_worker._private_jobs where payload ->> 'run' = checkpoints.run)`;
  return inBatches(pool, { table: 'checkpoints', where });
}

function cipherOf(store: Store, run: string) {
  const columnCipher = store.columnCipher('checkpoints', 'note_encrypted');
  const idOf = (step: string) => JSON.stringify([run, step]);
  return {
    encrypt: (step: string, result: Json | undefined) =>
      result === undefined ? null : columnCipher.encrypt(idOf(step), result),
    decrypt: (step: string, encrypted: string | null) =>
      encrypted === null ? undefined : columnCipher.decrypt(idOf(step), encrypted),
  };
}
