import { pino } from 'pino';
import { expect, test } from 'vitest';
import { handlerOf, jobKind, PermanentError, sweepCheckpoints } from '../../src/jobs/index.ts';
import { runJobsNow } from '../helpers/contacts.ts';
import { until } from '../helpers/features.ts';
import { createDeferred, greetKind, type JobsSetup, recordingHandler, shareJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** Waits until no job is left, without the delays before retries. */
const drainWithRetries = (queue: JobsSetup['queue'], store: JobsSetup['store']) =>
  until(async () => {
    await runJobsNow({ store });
    return (await queue.size()) === 0 || undefined;
  }, 'all jobs to end');

test('a job runs once, on one of the workers', async () => {
  const { queue, startWorker, openAnotherStore, untilDrained } = await shareJobs(postgres);
  const done: string[] = [];
  const { handler } = recordingHandler(async (person) => {
    done.push(person);
  });
  await startWorker({ handlers: [handler] });
  await startWorker({ handlers: [handler], store: await openAnotherStore() });
  const people = Array.from({ length: 50 }, (_, index) => `U${index}`);
  for (const person of people) await queue.add(greetKind, { person });
  await untilDrained();
  expect(done.sort()).toEqual(people.sort());
});

test.each(['with space', 'a@example.org', 'x'.repeat(65), '', 'secret/key'])(
  '%j is refused as an id in a job payload',
  async (person) => {
    const { queue } = await shareJobs(postgres);
    await expect(queue.add(greetKind, { person })).rejects.toThrow('ids only');
    await expect(queue.add(greetKind, { person: 'U1', key: 'x' } as never)).rejects.toThrow();
    expect(await queue.size()).toBe(0);
  },
);

test("a job with a permanent failure isn't retried, and giveUp is called", async () => {
  const { queue, startWorker, untilDrained } = await shareJobs(postgres);
  let runs = 0;
  const { handler, givenUp } = recordingHandler(async () => {
    runs += 1;
    throw new PermanentError('no such person');
  });
  await startWorker({ handlers: [handler] });
  await queue.add(greetKind, { person: 'U1' });
  await untilDrained();
  expect(runs).toBe(1);
  expect(givenUp).toEqual(['U1: no such person']);
});

test('a job with a temporary failure is retried; after the last try, giveUp is called', async () => {
  const { queue, startWorker, store } = await shareJobs(postgres);
  const twice = jobKind('twice', ['person'], { attempts: 2 });
  let runs = 0;
  const givenUp: string[] = [];
  const handler = handlerOf<{ person: string }>({
    kind: twice,
    run: async () => {
      runs += 1;
      throw new Error(`failure ${runs}`);
    },
    giveUp: async (_, error) => {
      givenUp.push((error as Error).message);
    },
  });
  await startWorker({ handlers: [handler] });
  await queue.add(twice, { person: 'U1' });
  await drainWithRetries(queue, store);
  expect(givenUp).toEqual(['failure 2']);
});

test('giveUp is retried until it succeeds', async () => {
  const { queue, startWorker, store } = await shareJobs(postgres);
  const reported: number[] = [];
  const handler = handlerOf<{ person: string }>({
    kind: jobKind('reporting', ['person'], { attempts: 1 }),
    run: async () => {
      throw new PermanentError('no');
    },
    giveUp: async (_, __, { attempt }) => {
      reported.push(attempt);
      if (attempt === 1) throw new Error('Slack is down');
    },
  });
  await startWorker({ handlers: [handler] });
  await queue.add(handler.kind, { person: 'U1' });
  await drainWithRetries(queue, store);
  expect(reported).toEqual([1, 2]);
});

test('a job that is done is logged as information, one that is given up as a warning', async () => {
  const { queue, startWorker, untilDrained } = await shareJobs(postgres);
  const lines: string[] = [];
  const log = pino({ formatters: { level: (level) => ({ level }) } }, { write: (line) => lines.push(line) });
  const { handler } = recordingHandler(async (person) => {
    if (person === 'U2') throw new PermanentError('no such person');
  });
  await startWorker({ handlers: [handler], log });
  for (const person of ['U1', 'U2']) await queue.add(greetKind, { person });
  await untilDrained();
  const jobLines = lines.map((line) => JSON.parse(line)).filter(({ job }) => job === 'greet');
  expect(jobLines.sort((a, b) => a.person.localeCompare(b.person))).toMatchObject([
    { level: 'info', person: 'U1', attempt: 1, outcome: 'done', ms: expect.any(Number), msg: 'job done' },
    { level: 'warn', person: 'U2', outcome: 'given up', err: { message: 'no such person' } },
  ]);
});

test('graphile-worker stores the code of an error, not its message', async () => {
  const { queue, startWorker, store } = await shareJobs(postgres);
  const { handler } = recordingHandler(async () => {
    throw Object.assign(new Error('Authorization: Basic dXNlcjprZXk= for a@example.org'), { code: 'refused' });
  });
  await startWorker({ handlers: [handler] });
  await queue.add(greetKind, { person: 'U1' });
  const lastError = async () =>
    (await store.pool.query('select last_error from graphile_worker._private_jobs')).rows[0]?.last_error;
  await expect.poll(lastError).toBe('Error refused: see the log');
});

test('if a job is added again with the same key, it starts over', async () => {
  const { queue, startWorker, untilDrained, store } = await shareJobs(postgres);
  const fetched: string[] = [];
  const failing = createDeferred();
  const { handler } = recordingHandler(async (person, { step }) => {
    fetched.push(await step('fetch', async () => person));
    if (person === 'old') {
      failing.resolve();
      throw new Error('not yet');
    }
  });
  await startWorker({ handlers: [handler] });
  await queue.add(greetKind, { person: 'old' }, { key: 'one' });
  await failing.promise;
  await expect
    .poll(
      async () => (await store.pool.query('select locked_by from graphile_worker._private_jobs')).rows[0]?.locked_by,
    )
    .toBeNull();
  await queue.add(greetKind, { person: 'new' }, { key: 'one' });
  await untilDrained();
  expect(fetched).toEqual(['old', 'new']);
});

test('a checkpoint is deleted only if it is over an hour old and its job is gone', async () => {
  const { queue, store } = await shareJobs(postgres);
  await queue.add(greetKind, { person: 'U1' });
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
