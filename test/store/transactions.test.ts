import type pg from 'pg';
import { expect, test } from 'vitest';
import { inTransaction } from '../../src/store/index.ts';

/** A pool of one connection that fails at these statements. */
function poolFailingAt(...failing: string[]) {
  const released: unknown[] = [];
  const client = {
    query: async (sql: string) => {
      if (failing.includes(sql)) throw new Error(`no answer to ${sql}`);
    },
    release: (error?: Error) => released.push(error?.message),
  };
  return { pool: { connect: async () => client } as unknown as pg.Pool, released };
}

test('a connection that fails to roll back is not reused', async () => {
  const { pool, released } = poolFailingAt('commit', 'rollback');
  await expect(inTransaction(pool, async () => 1)).rejects.toThrow('no answer to commit');
  expect(released).toEqual(['no answer to rollback']);
});

test('a connection that rolls back is reused', async () => {
  const { pool, released } = poolFailingAt('commit');
  await expect(inTransaction(pool, async () => 1)).rejects.toThrow('no answer to commit');
  expect(released).toEqual([undefined]);
});
