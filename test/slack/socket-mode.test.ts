import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import { startSlackServer } from '../../src/sandbox/slack/index.ts';
import { createSocketMode } from '../../src/slack/socket-mode.ts';

const appToken = 'xapp-1-A1-token';

async function setUp() {
  const manifest = { display_information: { name: 'Dropline' }, settings: { socket_mode_enabled: true } };
  const secrets = { clientId: '1.2', clientSecret: 'secret', signingSecret: 'secret' };
  const slack = await startSlackServer({ app: { id: 'A1', ...secrets, appToken, manifest }, rateLimits: false });
  onTestFinished(() => slack.close());
  const log = createLog('silent');
  const socket = createSocketMode({ appToken, apiUrl: slack.apiUrl, log });
  return { slack, socket };
}

test("a refused first connection fails the start and isn't retried", async () => {
  const { slack, socket } = await setUp();
  slack.addFault({ method: 'apps.connections.open', kind: 'error', error: 'invalid_auth' });
  await expect(socket.start()).rejects.toMatchObject({ data: { error: 'invalid_auth' } });
  await sleep(1_000);
  expect(slack.calls).toHaveLength(1);
  expect(socket.isConnected()).toBe(false);
});

test('stopping during a reconnect leaves no connection', async () => {
  const { slack, socket } = await setUp();
  await socket.start();
  expect(socket.isConnected()).toBe(true);
  const slow = slack.addFault({ method: 'apps.connections.open', kind: 'delay' });
  slack.closeSockets();
  await slow.triggered;
  await socket.stop();
  slow.release();
  await expect.poll(() => slack.calls.at(-1)).toMatchObject({ status: 200 });
  await expect.poll(() => socket.isConnected()).toBe(false);
  await sleep(1_000);
  expect(socket.isConnected()).toBe(false);
  expect(slack.calls).toHaveLength(2);
});
