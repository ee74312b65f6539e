import { expect, test } from 'vitest';
import { createLimiter } from '../src/lib/limiter.ts';

/** Creates tasks that the test ends or fails. */
function createTasks() {
  const started: { name: string; end(): void; fail(): void }[] = [];
  const task = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      started.push({ name, end: () => resolve(name), fail: () => reject(new Error(name)) });
    });
  return { started, task, names: () => started.map(({ name }) => name) };
}

test('two tasks per key run at a time; more tasks wait in order, even after failures', async () => {
  const { run, isFull } = createLimiter(2);
  const { started, task, names } = createTasks();
  const runs = ['a', 'b', 'c', 'd'].map((name) => run('key', task(name)));
  await new Promise(setImmediate);
  expect(names()).toEqual(['a', 'b']);
  expect(isFull('key')).toBe(true);
  expect(isFull('other')).toBe(false);
  expect(await run('other', async () => 'at once')).toBe('at once');
  started[1]?.fail();
  await expect(runs[1]).rejects.toThrow('b');
  await new Promise(setImmediate);
  expect(names()).toEqual(['a', 'b', 'c']);
  started[0]?.end();
  started[2]?.end();
  await Promise.all([runs[0], runs[2]]);
  await new Promise(setImmediate);
  started[3]?.end();
  expect(await runs[3]).toBe('d');
  expect(isFull('key')).toBe(false);
});

test('a task aborted while waiting never starts and takes no slot', async () => {
  const { run, isFull } = createLimiter(1);
  const { started, task, names } = createTasks();
  const first = run('key', task('a'));
  const controller = new AbortController();
  const aborted = run('key', task('b'), controller.signal);
  const last = run('key', task('c'));
  controller.abort(new Error('no longer wanted'));
  await expect(aborted).rejects.toThrow('no longer wanted');
  await expect(run('key', task('d'), controller.signal)).rejects.toThrow('no longer wanted');
  started[0]?.end();
  await first;
  await new Promise(setImmediate);
  expect(names()).toEqual(['a', 'c']);
  started[1]?.end();
  await last;
  expect(isFull('key')).toBe(false);
});
