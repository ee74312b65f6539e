import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from '../../src/slack/turns.ts';

test('turns start in order, one at a time, with other work in between', async () => {
  const turn = createTurns();
  const begun: number[] = [];
  const all = [1, 2, 3].map((number) => turn().then(() => begun.push(number)));
  expect(begun).toEqual([]);
  await soon();
  await soon();
  expect(begun.length).toBeLessThan(3);
  await Promise.all(all);
  expect(begun).toEqual([1, 2, 3]);
});

test('a turn is granted after all earlier ones have started', async () => {
  const turn = createTurns();
  await turn();
  await turn();
  await Promise.all([turn(), turn()]);
});

test('with many waiting, several turns start at a time', async () => {
  const turn = createTurns();
  let begun = 0;
  for (let count = 0; count < 1_000; count += 1) void turn().then(() => (begun += 1));
  for (let count = 0; count < 100; count += 1) await soon();
  expect(begun).toBeGreaterThan(300);
});
