import { expect, test } from 'vitest';
import { setUpSocketMode } from './socket-mode.ts';

test("with Slack's limit, one of two lost connections is replaced first", async () => {
  let now = Date.now();
  const { slack, socket } = await setUpSocketMode({ pauseMs: 0, clock: () => now });
  const opened = () => slack.calls.map(({ error }) => error ?? 'opened');
  await socket.start();
  // Slack refuses the next connection for half a second by its clock, and says to wait a second.
  now += 59_500;
  await expect.poll(opened, { timeout: 5_000 }).toEqual(['opened', 'ratelimited']);
  expect(socket.openConnections()).toBe(1);
  now += 1_000;
  await expect.poll(() => socket.openConnections(), { timeout: 5_000 }).toBe(2);
  now += 61_000;
  slack.closeSockets();
  await expect.poll(() => socket.openConnections(), { interval: 5 }).toBe(0);
  await expect.poll(opened, { timeout: 5_000 }).toEqual(['opened', 'ratelimited', 'opened', 'opened', 'ratelimited']);
  expect(socket.openConnections()).toBe(1);
});
