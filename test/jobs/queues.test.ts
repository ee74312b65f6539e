import { expect, test } from 'vitest';
import { inTransaction, type Store } from '../../src/store/index.ts';
import { greetKind, recordingHandler, setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

async function queuesOf({ pool }: Store): Promise<string[]> {
  const sql = 'select queue_name from graphile_worker._private_job_queues order by queue_name';
  return (await pool.query<{ queue_name: string }>(sql)).rows.map(({ queue_name }) => queue_name);
}

test('queues without jobs are deleted, except those that a worker has locked', async () => {
  const { queue, store, startWorker, untilDrained } = await setUpJobs(postgres);
  const seen: string[][] = [];
  const { handler } = recordingHandler(async () => {
    await queue.sweep();
    seen.push(await queuesOf(store));
  });
  await queue.add(greetKind, { person: 'a' }, { queue: 'contacts:a' });
  await startWorker({ handlers: [handler], concurrency: 1 });
  await untilDrained();
  await queue.add(greetKind, { person: 'b' }, { queue: 'contacts:b' });
  await untilDrained();
  expect(seen).toEqual([['contacts:a'], ['contacts:b']]);
  await queue.add(greetKind, { person: 'c' }, { queue: 'contacts:c', runAt: new Date(Date.now() + 60_000) });
  expect(await queue.sweep()).toBe(1);
  expect(await queuesOf(store)).toEqual(['contacts:c']);
  await store.pool.query('delete from graphile_worker._private_jobs');
});

test('if a job is added while queues are deleted, it still runs', async () => {
  const { queue, store, startWorker, untilDrained } = await setUpJobs(postgres);
  const ran: string[] = [];
  const { handler } = recordingHandler(async (person) => void ran.push(person));
  await startWorker({ handlers: [handler] });
  await queue.add(greetKind, { person: 'first' }, { queue: 'transfers:a' });
  await untilDrained();
  const { sweeping } = await inTransaction(store.pool, async (client) => {
    await queue.add(greetKind, { person: 'second' }, { queue: 'transfers:a', within: client });
    // The sweep waits for this transaction to end, or times out.
    const sweeping = queue.sweep().catch((error: Error) => error.message);
    const result = await Promise.race([sweeping, new Promise((resolve) => setTimeout(resolve, 300))]);
    expect(result).toBeUndefined();
    return { sweeping };
  });
  expect(await sweeping).not.toBe(1);
  await untilDrained(5_000);
  expect(ran).toEqual(['first', 'second']);
});

test("the queue's states say what jobs wait for, and how long the oldest has waited", async () => {
  const { queue, store, startWorker } = await setUpJobs(postgres);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { handler } = recordingHandler((person) => (person === 'runs' ? ended : Promise.resolve()));
  const states = async () => Object.fromEntries((await queue.states()).map(({ state, jobs }) => [state, jobs]));
  const ago = new Date(Date.now() - 60_000);
  await queue.add(greetKind, { person: 'runs' }, { queue: 'transfers:a' });
  await startWorker({ handlers: [handler], concurrency: 1 });
  await expect.poll(states).toEqual({ waiting: 0, running: 1, blocked: 0, scheduled: 0 });
  await queue.add(greetKind, { person: 'behind' }, { queue: 'transfers:a', runAt: ago });
  await queue.add(greetKind, { person: 'due' }, { runAt: ago });
  await queue.add(greetKind, { person: 'later' }, { runAt: new Date(Date.now() + 60_000) });
  expect(await states()).toEqual({ waiting: 1, running: 1, blocked: 1, scheduled: 1 });
  const oldest = (await queue.states()).find(({ state }) => state === 'waiting')?.seconds;
  expect(oldest).toBeGreaterThanOrEqual(60);
  end();
  await expect.poll(states).toEqual({ waiting: 0, running: 0, blocked: 0, scheduled: 1 });
  await store.pool.query('delete from graphile_worker._private_jobs');
});
