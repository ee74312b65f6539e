import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareFigures, comparisonTable } from './compare.ts';
import { checkWritable, type Figures, figuresOf, loadRun, recordFigure, saveRun } from './saved-run.ts';

const lower = (...values: number[]): Figures => ({ 'start: stop': { unit: 'ms', better: 'lower', values } });
const higher = (...values: number[]): Figures => ({ 'jobs: rate': { unit: 'x bare', better: 'higher', values } });
const marksOf = (before: Figures, after: Figures) => compareFigures(before, after).map(({ mark }) => mark);

test('a lower value is better for times and worse for rates', () => {
  expect(marksOf(lower(100, 101, 102), lower(80, 81, 82))).toEqual(['better']);
  expect(marksOf(higher(100, 101, 102), higher(80, 81, 82))).toEqual(['worse']);
});

test('a higher value is worse for times and better for rates', () => {
  expect(marksOf(lower(80, 81, 82), lower(100, 101, 102))).toEqual(['worse']);
  expect(marksOf(higher(80, 81, 82), higher(100, 101, 102))).toEqual(['better']);
});

test('a change within the spread of the old or the new run counts as the same', () => {
  expect(marksOf(lower(90, 100, 120), lower(119, 120, 121))).toEqual(['same']);
  expect(marksOf(lower(99, 100, 101), lower(105, 120, 130))).toEqual(['same']);
  expect(marksOf(higher(119, 120, 121), higher(90, 100, 120))).toEqual(['same']);
});

test("a change as large as the spread counts as the same, a larger one doesn't", () => {
  expect(marksOf(lower(95, 100, 105), lower(110, 110, 110))).toEqual(['same']);
  expect(marksOf(lower(95, 100, 105), lower(111, 111, 111))).toEqual(['worse']);
});

test('a comparison uses medians, not means', () => {
  expect(compareFigures(lower(10, 10, 1000), lower(10, 10, 10))).toMatchObject([
    { before: 10, after: 10, spread: 990, mark: 'same' },
  ]);
});

test('a figure of only one of the two runs counts as new or missing', () => {
  expect(compareFigures(lower(1, 2, 3), higher(4, 5, 6))).toEqual([
    { name: 'jobs: rate', unit: 'x bare', after: 5, mark: 'new' },
    { name: 'start: stop', unit: 'ms', before: 2, mark: 'missing' },
  ]);
});

test('the comparison shows medians, change and spread, and counts the changes', () => {
  const before = { ...lower(98, 100, 102), ...higher(1, 1, 1) };
  const after = { ...lower(150, 152, 154), 'polls: peak RSS': { unit: 'MB', better: 'lower' as const, values: [80] } };
  const lines = comparisonTable('Title', compareFigures(before, after)).split('\n');
  expect(lines.map((line) => line.split(/\s{2,}/).filter(Boolean)).slice(4, 7)).toEqual([
    ['start: stop', '100 ms', '152 ms', '+52.0 %', '4.0 %', 'worse'],
    ['polls: peak RSS', '-', '80.0 MB', '-', '-', 'new'],
    ['jobs: rate', '1.00 x bare', '-', '-', '-', 'missing'],
  ]);
  expect(lines).toContain('1 worse, 0 better, 0 within the spread, 1 new, 1 missing.');
});

test('a change from zero has no percentage', () => {
  const comparisons = compareFigures(lower(0, 0, 0), lower(2, 2, 2));
  expect(comparisons).toMatchObject([{ before: 0, after: 2, mark: 'worse' }]);
  expect(comparisonTable('Title', comparisons)).not.toMatch(/Infinity|NaN/);
});

test('values of several runs are recorded by benchmark part and name, without NaN', () => {
  const figures: Figures = {};
  for (const value of [1, 2, Number.NaN]) {
    recordFigure(figures, 'start', { name: 'stop', value, unit: 'ms', better: 'lower' });
  }
  expect(figures).toEqual(lower(1, 2));
});

test('a comparison includes only the figures of the chosen benchmark parts', () => {
  const figures = { ...lower(1), ...higher(2), 'starters: stop': { better: 'lower' as const, values: [3] } };
  expect(figuresOf(figures, ['start'])).toEqual(lower(1));
});

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dropline-compare-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('loading a saved run returns the figures that were saved', async () => {
  const file = join(folder, 'run.json');
  await saveRun(file, { runs: 3, figures: lower(1, 2, 3) });
  const { version: node, arch } = process;
  expect(await loadRun(file)).toMatchObject({ version: 1, node, arch, runs: 3, figures: lower(1, 2, 3) });
});

test('loading a missing or invalid run fails with a message that names the file', async () => {
  const file = join(folder, 'other.json');
  await expect(loadRun(join(folder, 'none.json'))).rejects.toThrow(/^Can't read the saved run .*none\.json/);
  for (const text of ['', 'text', '{}', '{"version":2,"figures":{}}']) {
    await writeFile(file, text);
    await expect(loadRun(file)).rejects.toThrow(`${file} isn't a saved bench run. Create one with --save.`);
  }
});

test("checkWritable leaves a file unchanged and rejects a path that can't be written", async () => {
  const file = join(folder, 'before.json');
  await writeFile(file, 'saved before');
  await checkWritable(file);
  expect(await readFile(file, 'utf8')).toBe('saved before');
  await expect(checkWritable(join(folder, 'none', 'run.json'))).rejects.toThrow(/^Can't write .*run\.json/);
});
