import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { tiers } from '../vitest.config.ts';

const root = resolve(import.meta.dirname, '..');
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('test', file));

// Supports only patterns like `test/**/*.test.ts`; the tiers use no other patterns.
function matches(file: string, pattern: string): boolean {
  const [folder = '', ending = ''] = pattern.split('**/*');
  return file.startsWith(folder) && file.endsWith(ending);
}

const tiersOf = (file: string) =>
  Object.entries(tiers)
    .filter(([, { include }]) => include.some((pattern) => matches(file, pattern)))
    .filter(([, { exclude }]) => !exclude.some((pattern) => matches(file, pattern)))
    .map(([name]) => name);

test('each test file belongs to exactly one tier', () => {
  const tests = files.filter((file) => /\.(test|spec)\.ts$/.test(file));
  expect(tests.length).toBeGreaterThan(200);
  expect(tests.filter((file) => tiersOf(file).length !== 1)).toEqual([]);
});

test('every file with tests belongs to a tier', () => {
  const calls = /^(test|it|describe)(\.\w+)*\(/m;
  const withTests = files.filter((file) => calls.test(readFileSync(join(root, file), 'utf8')));
  expect(withTests.filter((file) => tiersOf(file).length === 0)).toEqual([]);
});

test('files of the deep tier end in .deep.test.ts', () => {
  const deep = files.filter((file) => tiersOf(file).includes('deep'));
  expect(deep.length).toBeGreaterThan(10);
  expect(deep.filter((file) => !file.endsWith('.deep.test.ts'))).toEqual([]);
});
