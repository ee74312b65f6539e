import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { handlerOf, type JobContext, jobKind, PermanentError } from '../../src/jobs/index.ts';
import { setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { createRandom } from '../helpers/seeded.ts';

const postgres = startTestPostgres();
const kind = jobKind('greet', ['person'], { attempts: 30 });

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}

function recording(run: (person: string, context: JobContext) => Promise<void>) {
  const given: string[] = [];
  const handler = handlerOf<{ person: string }>({
    kind,
    run: ({ person }, context) => run(person, context),
    giveUp: async ({ person }, error) => {
      given.push(`${person}: ${(error as Error).message}`);
    },
  });
  return { handler, given };
}

test('a job is done once, by one of the workers', async () => {
  const { queue, work, another, drained } = await setUpJobs(postgres);
  const done: string[] = [];
  const { handler } = recording(async (person) => {
    done.push(person);
  });
  await work({ handlers: [handler] });
  await work({ handlers: [handler], store: await another() });
  const people = Array.from({ length: 50 }, (_, index) => `U${index}`);
  for (const person of people) await queue.add(kind, { person });
  await drained();
  expect(done.sort()).toEqual(people.sort());
});

test.each(['with space', 'a@example.org', 'x'.repeat(65), '', 'secret/key'])(
  '%j is no id, and no job takes it',
  async (person) => {
    const { queue } = await setUpJobs(postgres);
    await expect(queue.add(kind, { person })).rejects.toThrow('ids only');
    await expect(queue.add(kind, { person: 'U1', key: 'x' } as never)).rejects.toThrow();
    expect(await queue.size()).toBe(0);
  },
);

test('what fails for good is given up at once, and somebody is told', async () => {
  const { queue, work, drained } = await setUpJobs(postgres);
  let runs = 0;
  const { handler, given } = recording(async () => {
    runs += 1;
    throw new PermanentError('no such person');
  });
  await work({ handlers: [handler] });
  await queue.add(kind, { person: 'U1' });
  await drained();
  expect(runs).toBe(1);
  expect(given).toEqual(['U1: no such person']);
});

test('what may succeed later is tried again, and given up after its attempts', async () => {
  const { queue, work, drained } = await setUpJobs(postgres);
  const twice = jobKind('twice', ['person'], { attempts: 2 });
  let runs = 0;
  const given: string[] = [];
  const handler = handlerOf<{ person: string }>({
    kind: twice,
    run: async () => {
      runs += 1;
      throw new Error(`failure ${runs}`);
    },
    giveUp: async (_, error) => {
      given.push((error as Error).message);
    },
  });
  await work({ handlers: [handler] });
  await queue.add(twice, { person: 'U1' });
  await drained();
  expect(given).toEqual(['failure 2']);
});

test('two workers never run one queue at the same time, also when the reaper errs: 5 seeded runs', async () => {
  await Promise.all([1, 2, 3, 4, 5].map(withErringReaper));
}, 90_000);

async function withErringReaper(seed: number): Promise<void> {
  const { queue, work, another, drained, store } = await setUpJobs(postgres);
  const random = createRandom(seed);
  const inside = new Set<string>();
  const done: string[] = [];
  let overlaps = 0;
  const { handler } = recording(async (person) => {
    const [name = ''] = person.split('-');
    if (inside.has(name)) overlaps += 1;
    inside.add(name);
    await sleep(random.below(15));
    inside.delete(name);
    done.push(person);
  });
  const timing = { deadAfterSeconds: 0.3, reapEveryMs: 100, concurrency: 3 };
  await work({ handlers: [handler], ...timing });
  await work({ handlers: [handler], ...timing, store: await another() });
  const people = Array.from({ length: 9 }, (_, index) => `q${index % 3}-${index}`);
  for (const person of people) await queue.add(kind, { person }, { queue: `outgoing:${person.split('-')[0]}` });
  // It takes every living worker for dead, again and again.
  const everyWorker = 'array(select distinct locked_by from graphile_worker._private_jobs where locked_by is not null)';
  for (let round = 0; round < 4; round += 1) {
    await store.pool.query(`select graphile_worker.force_unlock_workers(${everyWorker})`);
    await sleep(random.below(40));
  }
  // What was taken from its worker at a bad moment waits to be tried again; how long is not the question here.
  const hurry = setInterval(() => {
    store.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null').catch(() => {});
  }, 100);
  await drained().finally(() => clearInterval(hurry));
  expect(overlaps, `seed ${seed}`).toBe(0);
  expect(done.sort(), `seed ${seed}`).toEqual(people.sort());
}

test('a worker that stops lets its work finish', async () => {
  const { queue, work, drained } = await setUpJobs(postgres);
  const done: string[] = [];
  const started = signal();
  const { handler } = recording(async (person) => {
    started.give();
    await sleep(100);
    done.push(person);
  });
  const runner = await work({ handlers: [handler] });
  await queue.add(kind, { person: 'U1' });
  await started.given;
  await runner.stop(5_000);
  expect(done).toEqual(['U1']);
  await drained();
});

test('work that does not finish in time is stopped, handed over and done by another worker', async () => {
  const { queue, work, another, drained } = await setUpJobs(postgres);
  const done: number[] = [];
  const started = signal();
  const { handler } = recording(async (_, { attempt, signal: stop }) => {
    started.give();
    if (attempt === 1) await new Promise((_, reject) => stop.addEventListener('abort', () => reject(stop.reason)));
    done.push(attempt);
  });
  const runner = await work({ handlers: [handler] });
  await queue.add(kind, { person: 'U1' }, { queue: 'outgoing:x' });
  await started.given;
  await runner.stop(10);
  expect(done).toEqual([]);
  await work({ handlers: [handler], store: await another() });
  await drained();
  expect(done).toEqual([2]);
});

test('work that is handed over in its last attempt is done all the same', async () => {
  const { queue, work, another, drained } = await setUpJobs(postgres);
  const once = jobKind('once', ['person'], { attempts: 1 });
  const outcomes: string[] = [];
  const started = signal();
  const handler = handlerOf<{ person: string }>({
    kind: once,
    run: async (_, { attempt, signal: stop }) => {
      started.give();
      if (attempt === 1) await new Promise((__, reject) => stop.addEventListener('abort', () => reject(stop.reason)));
      outcomes.push('done');
    },
    giveUp: async () => {
      outcomes.push('given up');
    },
  });
  const runner = await work({ handlers: [handler] });
  await queue.add(once, { person: 'U1' });
  await started.given;
  await runner.stop(10);
  await work({ handlers: [handler], store: await another() });
  await drained();
  expect(outcomes).toEqual(['done']);
});

test('what cannot be given up yet, because nobody can be told, is not lost', async () => {
  const { queue, work, drained } = await setUpJobs(postgres);
  const told: number[] = [];
  const handler = handlerOf<{ person: string }>({
    kind: jobKind('telling', ['person'], { attempts: 1 }),
    run: async () => {
      throw new PermanentError('no');
    },
    giveUp: async (_, __, { attempt }) => {
      told.push(attempt);
      if (attempt === 1) throw new Error('Slack is away');
    },
  });
  await work({ handlers: [handler] });
  await queue.add(handler.kind, { person: 'U1' });
  await drained();
  expect(told).toEqual([1, 2]);
});

test('work that does not heed its signal does not keep a worker from stopping', async () => {
  const { queue, work, store } = await setUpJobs(postgres);
  const started = signal();
  const { handler } = recording(async () => {
    started.give();
    await new Promise(() => {});
  });
  const runner = await work({ handlers: [handler] });
  await queue.add(kind, { person: 'U1' });
  await started.given;
  await runner.stop(10);
  const { rows } = await store.pool.query('select locked_by from graphile_worker._private_jobs');
  expect(rows).toHaveLength(1);
}, 30_000);

test('a worker whose database connections are cut stops before its next step, and the work is taken up again', async () => {
  const { queue, work, drained, store } = await setUpJobs(postgres);
  const steps: string[] = [];
  const { handler } = recording(async (_, { step, attempt }) => {
    await step('one', async () => {
      steps.push(`one in attempt ${attempt}`);
    });
    if (attempt === 1) {
      await store.pool
        .query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dropline lock'`)
        .catch(() => {});
      await sleep(50);
    }
    await step('two', async () => {
      steps.push(`two in attempt ${attempt}`);
    });
  });
  await work({ handlers: [handler] });
  await queue.add(kind, { person: 'U1' }, { queue: 'outgoing:x' });
  await drained();
  expect(steps).toEqual(['one in attempt 1', 'two in attempt 2']);
});
