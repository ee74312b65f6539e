import { expect, test } from 'vitest';
import { createLatestOnlyQueue } from '../../src/features/common/latest-only-queue.ts';

/** Work that ends on command. */
function steps() {
  const done: string[] = [];
  const ends = new Map<string, { end(): void; fail(): void }>();
  const step = (name: string) => () =>
    new Promise<void>((resolve, reject) => {
      ends.set(name, { end: resolve, fail: () => reject(new Error(name)) });
    }).then(() => void done.push(name));
  return { done, step, ends };
}

test('only the latest task of a key waits, and other keys run at once', async () => {
  const queue = createLatestOnlyQueue();
  const { done, step, ends } = steps();
  const first = queue.run('form', step('a'));
  await queue.run('form', step('ab'));
  await queue.run('form', step('abc'));
  const other = queue.run('other', step('x'));
  ends.get('x')?.end();
  await other;
  ends.get('a')?.end();
  await expect.poll(() => ends.has('abc')).toBe(true);
  const idle = queue.idle('form').then(() => done.push('settled'));
  ends.get('abc')?.end();
  await Promise.all([first, idle]);
  expect(done).toEqual(['x', 'a', 'abc', 'settled']);
});

test('a failure is superseded by the next task, and rejects if there is none', async () => {
  const queue = createLatestOnlyQueue();
  const { done, step, ends } = steps();
  const made = queue.run('form', step('a'));
  await queue.run('form', step('ab'));
  ends.get('a')?.fail();
  await expect.poll(() => ends.has('ab')).toBe(true);
  ends.get('ab')?.end();
  await made;
  const failed = queue.run('form', step('abc'));
  ends.get('abc')?.fail();
  await expect(failed).rejects.toThrow('abc');
  await queue.run('form', async () => void done.push('next'));
  expect(done).toEqual(['ab', 'next']);
});
