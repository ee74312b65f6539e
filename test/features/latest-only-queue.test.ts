import { expect, test } from 'vitest';
import { createLatestOnlyQueue } from '../../src/features/common/latest-only-queue.ts';

/** Creates tasks that the test ends or fails by name. */
function createTasks() {
  const done: string[] = [];
  const ends = new Map<string, { end(): void; fail(): void }>();
  const task = (name: string) => () =>
    new Promise<void>((resolve, reject) => {
      ends.set(name, { end: resolve, fail: () => reject(new Error(name)) });
    }).then(() => void done.push(name));
  return { done, task, ends };
}

test('only the latest task of a key waits; tasks of other keys run immediately', async () => {
  const queue = createLatestOnlyQueue();
  const { done, task, ends } = createTasks();
  const first = queue.run('form', task('a'));
  await queue.run('form', task('ab'));
  await queue.run('form', task('abc'));
  const other = queue.run('other', task('x'));
  ends.get('x')?.end();
  await other;
  ends.get('a')?.end();
  await expect.poll(() => ends.has('abc')).toBe(true);
  const idle = queue.idle('form').then(() => done.push('idle'));
  ends.get('abc')?.end();
  await Promise.all([first, idle]);
  expect(done).toEqual(['x', 'a', 'abc', 'idle']);
});

test('the failure of a task is ignored if another task waits, and otherwise rejects', async () => {
  const queue = createLatestOnlyQueue();
  const { done, task, ends } = createTasks();
  const first = queue.run('form', task('a'));
  await queue.run('form', task('ab'));
  ends.get('a')?.fail();
  await expect.poll(() => ends.has('ab')).toBe(true);
  ends.get('ab')?.end();
  await first;
  const failed = queue.run('form', task('abc'));
  ends.get('abc')?.fail();
  await expect(failed).rejects.toThrow('abc');
  await queue.run('form', async () => void done.push('next'));
  expect(done).toEqual(['ab', 'next']);
});
