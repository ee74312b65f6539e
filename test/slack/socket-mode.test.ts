import { channel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { setUpSocketMode } from './socket-mode.ts';

test("a refused first connection fails the start and isn't retried", async () => {
  const { slack, socket } = await setUpSocketMode();
  slack.addFault({ method: 'apps.connections.open', kind: 'error', error: 'invalid_auth' });
  await expect(socket.start()).rejects.toMatchObject({ data: { error: 'invalid_auth' } });
  await sleep(1_000);
  expect(slack.calls).toHaveLength(1);
  expect(socket.openConnections()).toBe(0);
});

test('stopping during a reconnect leaves no connection', async () => {
  const { slack, socket } = await setUpSocketMode();
  await socket.start();
  expect(socket.openConnections()).toBe(1);
  const slow = slack.addFault({ method: 'apps.connections.open', kind: 'delay' });
  slack.closeSockets();
  await slow.triggered;
  await socket.stop();
  slow.release();
  await expect.poll(() => slack.calls.at(-1)).toMatchObject({ status: 200 });
  await expect.poll(() => slack.countSockets()).toBe(0);
  await sleep(1_000);
  expect(socket.openConnections()).toBe(0);
  expect(slack.calls).toHaveLength(2);
});

test('the second connection opens later; if the first is lost, it is replaced at once', async () => {
  const { slack, socket } = await setUpSocketMode();
  await socket.start();
  slack.closeSockets();
  await expect.poll(() => socket.openConnections(), { interval: 5 }).toBe(0);
  await expect.poll(() => socket.openConnections(), { timeout: 5_000 }).toBe(1);
  expect(slack.calls).toHaveLength(2);
});

test('a slow answer to a ping closes no connection', async () => {
  // The SDK pings with setInterval, and compares times.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { slack, socket } = await setUpSocketMode();
  await socket.start();
  const pongs = vi.fn();
  channel('undici:websocket:pong').subscribe(pongs);
  onTestFinished(() => void channel('undici:websocket:pong').unsubscribe(pongs));
  vi.advanceTimersByTime(7_000);
  await expect.poll(() => pongs.mock.calls.length).toBeGreaterThan(0);
  slack.behaviour.socketPongMs = Number.POSITIVE_INFINITY;
  vi.advanceTimersByTime(14_000);
  // The close, if there is one, would be complete by now.
  await sleep(100);
  expect(socket.openConnections()).toBe(1);
});

test("a connection that Slack doesn't greet is closed and replaced", async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { slack, socket } = await setUpSocketMode();
  await socket.start();
  slack.behaviour.socketHelloMs = Number.POSITIVE_INFINITY;
  slack.closeSockets();
  await expect.poll(() => slack.calls.length, { timeout: 5_000 }).toBe(2);
  await expect.poll(() => slack.countSockets()).toBe(1);
  slack.behaviour.socketHelloMs = 0;
  vi.advanceTimersByTime(20_000);
  await expect.poll(() => socket.openConnections(), { timeout: 5_000 }).toBe(1);
  expect(slack.calls).toHaveLength(3);
});
