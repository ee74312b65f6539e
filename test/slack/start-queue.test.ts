import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStartQueue } from '../../src/slack/start-queue.ts';

test('queued tasks start in order and yield to other work in between', async () => {
  const waitForStart = createStartQueue();
  const started: number[] = [];
  const all = [1, 2, 3].map((number) => waitForStart().then(() => started.push(number)));
  expect(started).toEqual([]);
  await soon();
  await soon();
  expect(started.length).toBeLessThan(3);
  await Promise.all(all);
  expect(started).toEqual([1, 2, 3]);
});

test('after a start queue has run empty, it still starts new tasks', async () => {
  const waitForStart = createStartQueue();
  await waitForStart();
  await waitForStart();
  await Promise.all([waitForStart(), waitForStart()]);
});

test('with many tasks queued, the start queue starts several at a time', async () => {
  const waitForStart = createStartQueue();
  let started = 0;
  for (let count = 0; count < 1_000; count += 1) void waitForStart().then(() => (started += 1));
  for (let count = 0; count < 100; count += 1) await soon();
  expect(started).toBeGreaterThan(300);
});
