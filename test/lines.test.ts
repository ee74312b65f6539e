import { expect, test } from 'vitest';
import { createLines } from '../src/lines.ts';

/** Tasks that end or fail when the test says so. */
function works() {
  const begun: { name: string; end(): void; fail(): void }[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push({ name, end: () => resolve(name), fail: () => reject(new Error(name)) });
    });
  return { begun, work, names: () => begun.map(({ name }) => name) };
}

test('two tasks per key run at a time, the rest in order, even after failures', async () => {
  const { run, isFull } = createLines(2);
  const { begun, work, names } = works();
  const runs = ['a', 'b', 'c', 'd'].map((name) => run('key', work(name)));
  await new Promise(setImmediate);
  expect(names()).toEqual(['a', 'b']);
  expect(isFull('key')).toBe(true);
  expect(isFull('other')).toBe(false);
  expect(await run('other', async () => 'at once')).toBe('at once');
  begun[1]?.fail();
  await expect(runs[1]).rejects.toThrow('b');
  await new Promise(setImmediate);
  expect(names()).toEqual(['a', 'b', 'c']);
  begun[0]?.end();
  begun[2]?.end();
  await Promise.all([runs[0], runs[2]]);
  await new Promise(setImmediate);
  begun[3]?.end();
  expect(await runs[3]).toBe('d');
  expect(isFull('key')).toBe(false);
});

test('a task aborted while it waits never starts and takes no slot', async () => {
  const { run, isFull } = createLines(1);
  const { begun, work, names } = works();
  const first = run('key', work('a'));
  const over = new AbortController();
  const given = run('key', work('b'), over.signal);
  const last = run('key', work('c'));
  over.abort(new Error('no longer wanted'));
  await expect(given).rejects.toThrow('no longer wanted');
  await expect(run('key', work('d'), over.signal)).rejects.toThrow('no longer wanted');
  begun[0]?.end();
  await first;
  await new Promise(setImmediate);
  expect(names()).toEqual(['a', 'c']);
  begun[1]?.end();
  await last;
  expect(isFull('key')).toBe(false);
});
