import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { handlerOf, type JobContext, jobKind, PermanentError, sweepCheckpoints } from '../../src/jobs/index.ts';
import { reap } from '../../src/jobs/reaper.ts';
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

test.each([1, 10])(
  'work that does not finish in time is handed over and done at once by another, with %s attempts',
  async (attempts) => {
    const { queue, work, another, drained, store } = await setUpJobs(postgres);
    const slow = jobKind('slow', ['person'], { attempts });
    const outcomes: string[] = [];
    const started = signal();
    let runs = 0;
    const handler = handlerOf<{ person: string }>({
      kind: slow,
      run: async (_, { signal: stop, attempt }) => {
        runs += 1;
        started.give();
        if (runs === 1) await new Promise((__, reject) => stop.addEventListener('abort', () => reject(stop.reason)));
        outcomes.push(`done in attempt ${attempt}`);
      },
      giveUp: async () => {
        outcomes.push('given up');
      },
    });
    const runner = await work({ handlers: [handler] });
    await queue.add(slow, { person: 'U1' }, { queue: 'outgoing:x' });
    await started.given;
    await runner.stop(10);
    expect(outcomes).toEqual([]);
    const { rows } = await store.pool.query(
      'select run_at <= now() as now, locked_by from graphile_worker._private_jobs',
    );
    expect(rows).toEqual([{ now: true, locked_by: null }]);
    await work({ handlers: [handler], store: await another() });
    await drained();
    expect(outcomes).toEqual(['done in attempt 1']);
  },
);

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

test('a job that ends while the database is away is done again or noted, and the process lives', async () => {
  const { queue, work, drained, store } = await setUpJobs(postgres);
  const ended: string[] = [];
  const { handler } = recording(async (person) => {
    ended.push(person);
    // Every connection of this database is cut at the moment at which the end of the job is to be written.
    if (ended.length === 1) {
      const others = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()';
      for (let round = 0; round < 3; round += 1) await store.pool.query(others).catch(() => {});
    }
  });
  await work({ handlers: [handler], deadAfterSeconds: 0.5, reapEveryMs: 100 });
  await queue.add(kind, { person: 'U1' });
  await queue.add(kind, { person: 'U2' }, { queue: 'outgoing:x' });
  await drained();
  expect(new Set(ended)).toEqual(new Set(['U1', 'U2']));
}, 60_000);

test('what the engine keeps of a failure is its kind, not its words', async () => {
  const { queue, work, store } = await setUpJobs(postgres);
  const { handler } = recording(async () => {
    throw Object.assign(new Error('Authorization: Basic dXNlcjprZXk= for a@example.org'), { code: 'refused' });
  });
  await work({ handlers: [handler] });
  await queue.add(kind, { person: 'U1' });
  const lastError = async () =>
    (await store.pool.query('select last_error from graphile_worker._private_jobs')).rows[0]?.last_error;
  await expect.poll(lastError).toBe('Error refused: see the log');
});

test('a job that is added again under its key begins anew', async () => {
  const { queue, work, drained, store } = await setUpJobs(postgres);
  const fetched: string[] = [];
  const failing = signal();
  const { handler } = recording(async (person, { step }) => {
    fetched.push(await step('fetch', async () => person));
    if (person === 'old') {
      failing.give();
      throw new Error('not yet');
    }
  });
  await work({ handlers: [handler] });
  await queue.add(kind, { person: 'old' }, { key: 'one' });
  await failing.given;
  await expect
    .poll(
      async () => (await store.pool.query('select locked_by from graphile_worker._private_jobs')).rows[0]?.locked_by,
    )
    .toBeNull();
  await queue.add(kind, { person: 'new' }, { key: 'one' });
  await drained();
  expect(fetched).toEqual(['old', 'new']);
});

test('a job that ended its worker each time is given up without being run', async () => {
  const { queue, work, drained, store } = await setUpJobs(postgres);
  const { handler, given } = recording(async () => {
    throw new Error('it must not come to this');
  });
  await queue.add(kind, { person: 'U1' });
  await store.pool.query('update graphile_worker._private_jobs set attempts = $1', [kind.attempts + 5]);
  await work({ handlers: [handler] });
  await drained();
  expect(given).toEqual(['U1: its worker died too often']);
});

test('a worker that cannot give a sign of life keeps no job from others, and ends when it is told', async () => {
  const { queue, work, another, drained, store } = await setUpJobs(postgres);
  const done: string[] = [];
  const { handler } = recording(async (person) => {
    done.push(person);
  });
  const mute = { ...store, withLock: () => Promise.reject(new Error('too many clients')) };
  const muted = await work({ handlers: [handler], store: mute });
  await queue.add(kind, { person: 'U1' });
  await expect
    .poll(
      async () => (await store.pool.query('select locked_by from graphile_worker._private_jobs')).rows[0]?.locked_by,
    )
    .not.toBeNull();
  expect(muted.isUp()).toBe(false);
  await work({ handlers: [handler], store: await another(), deadAfterSeconds: 0.2, reapEveryMs: 100 });
  await expect.poll(() => done.length > 0, { timeout: 20_000 }).toBe(true);
  await muted.stop(10);
  await drained();
  expect(done).toEqual(['U1']);
}, 40_000);

test('young workers are not taken for dead', async () => {
  const { queue, store } = await setUpJobs(postgres);
  await queue.add(kind, { person: 'U1' });
  await store.pool.query(
    `update graphile_worker._private_jobs set locked_by = 'young', locked_at = now() - interval '5 seconds'`,
  );
  expect(await reap(store, 10)).toEqual([]);
  expect(await reap(store, 4)).toEqual(['young']);
});

test('notes of jobs that are over go an hour later, those of others stay', async () => {
  const { queue, store } = await setUpJobs(postgres);
  await queue.add(kind, { person: 'U1' });
  const { rows } = await store.pool.query(`select payload ->> 'run' as run from graphile_worker._private_jobs`);
  for (const [run, at] of [
    [rows[0].run, '2 hours'],
    ['over', '2 hours'],
    ['just over', '1 minute'],
  ]) {
    await store.pool.query(`insert into dropline.checkpoints (run, step, at) values ($1, 's', now() - $2::interval)`, [
      run,
      at,
    ]);
  }
  expect(await sweepCheckpoints(store)).toBe(1);
});

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
