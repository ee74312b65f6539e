import { expect, test } from 'vitest';
import { inTransaction, type Store } from '../../src/store/index.ts';
import { kind, recordingHandler, setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

async function queuesOf({ pool }: Store): Promise<string[]> {
  const sql = 'select queue_name from graphile_worker._private_job_queues order by queue_name';
  return (await pool.query<{ queue_name: string }>(sql)).rows.map(({ queue_name }) => queue_name);
}

test('queues without jobs are deleted, except those that a worker has locked', async () => {
  const { queue, store, work, drained } = await setUpJobs(postgres);
  const seen: string[][] = [];
  const { handler } = recordingHandler(async () => {
    await queue.sweep();
    seen.push(await queuesOf(store));
  });
  await queue.add(kind, { person: 'a' }, { queue: 'contacts:a' });
  await work({ handlers: [handler], concurrency: 1 });
  await drained();
  await queue.add(kind, { person: 'b' }, { queue: 'contacts:b' });
  await drained();
  expect(seen).toEqual([['contacts:a'], ['contacts:b']]);
  await queue.add(kind, { person: 'c' }, { queue: 'contacts:c', runAt: new Date(Date.now() + 60_000) });
  expect(await queue.sweep()).toBe(1);
  expect(await queuesOf(store)).toEqual(['contacts:c']);
  await store.pool.query('delete from graphile_worker._private_jobs');
});

test('a job that is added while queues are deleted still runs', async () => {
  const { queue, store, work, drained } = await setUpJobs(postgres);
  const ran: string[] = [];
  const { handler } = recordingHandler(async (person) => void ran.push(person));
  await work({ handlers: [handler] });
  await queue.add(kind, { person: 'first' }, { queue: 'outgoing:a' });
  await drained();
  const { sweeping } = await inTransaction(store.pool, async (client) => {
    await queue.add(kind, { person: 'second' }, { queue: 'outgoing:a', within: client });
    // The sweep waits for this transaction to end, or times out.
    const sweeping = queue.sweep().catch((error: Error) => error.message);
    const result = await Promise.race([sweeping, new Promise((resolve) => setTimeout(resolve, 300))]);
    expect(result).toBeUndefined();
    return { sweeping };
  });
  expect(await sweeping).not.toBe(1);
  await drained(5_000);
  expect(ran).toEqual(['first', 'second']);
});
