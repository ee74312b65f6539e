import { expect, test } from 'vitest';
import { DroplineError } from '../src/lib/errors.ts';
import { createLog } from '../src/lib/log.ts';
import { truncate } from '../src/lib/truncate.ts';

test('truncate() keeps short values unchanged', () => {
  const value = { names: ['a', 'b'], size: 7, nested: { none: null, is: true } };
  expect(truncate(value, 100)).toEqual(value);
});

test('truncate() counts the omitted characters and items', () => {
  expect(truncate('x'.repeat(30), 10)).toBe(`${'x'.repeat(10)}… (20 more characters)`);
  expect(truncate(['aaaa', 'bbbb', 'cccc'], 10)).toEqual(['aaaa', 'bbbb', { omitted: 1 }]);
});

test('log lines stay short, however long external input is', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const names = Array.from({ length: 100_000 }, (_, number) => `person${number}@example.org`);
  log.warn({ workspace: 'T1', names, err: new Error('x'.repeat(1_000_000)) }, 'failed');
  expect(lines.join('').length).toBeLessThan(30_000);
  expect(JSON.parse(lines.join(''))).toMatchObject({ workspace: 'T1', msg: expect.any(String) });
});

test('a DroplineError limits the length of its message and the number of its names', () => {
  const names = Array.from({ length: 100_000 }, (_, number) => `file${number}`);
  const error = new DroplineError('changed', `Not there: ${names.join(', ')}`, { names });
  expect(error.message).toHaveLength(3_000);
  expect(error.names).toHaveLength(1_000);
});
