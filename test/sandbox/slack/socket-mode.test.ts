import { request } from 'node:http';
import { App, SocketModeReceiver } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { clientFor, app as config, expectEventually, manifest, setUpWorkspace, silent } from './helper.ts';

const socketApp = {
  ...config,
  manifest: { ...manifest, settings: { ...manifest.settings, socket_mode_enabled: true } },
};

/** A bot that connects over Socket Mode and has no URL. */
async function startSocketBot(listen: (app: App) => void) {
  const setup = await setUpWorkspace({ app: socketApp, behaviour: { retryDelaysMs: [0] } });
  const clientOptions = { slackApiUrl: setup.slack.apiUrl, retryConfig: { retries: 0 } };
  const receiver = new SocketModeReceiver({
    appToken: config.appToken,
    logger: silent,
    installerOptions: { clientOptions },
  });
  const bolt = new App({ receiver, token: setup.token, clientOptions, logger: silent, convoStore: false });
  listen(bolt);
  await bolt.start();
  const closed = new Promise((resolve) => receiver.client.on('disconnected', resolve));
  onTestFinished(async () => {
    await bolt.stop();
    await closed;
  });
  return setup;
}

test('an unacknowledged event is sent again over the socket', async () => {
  const retries: unknown[] = [];
  const setup = await startSocketBot((app) => {
    app.use(async ({ context, body, next }) => {
      if (body.type === 'event_callback') retries.push(context.retryNum);
      await next();
    });
    app.event('app_home_opened', async () => {});
  });
  setup.slack.addFault({ delivery: 'event', kind: 'lost-answer' });
  await setup.anna.opens('Home of Dropline');
  await expectEventually(() => retries).toEqual([0, 1]);
});

test('a command without a connection fails with an error for the person', async () => {
  const setup = await setUpWorkspace({ app: socketApp });
  await setup.anna.types('/drop', { in: '#general' });
  await setup.anna.sees('/drop failed with the error "dispatch_failed"');
});

test('only the app-level token opens a connection, and only with Socket Mode on', async () => {
  const setup = await setUpWorkspace({ app: socketApp });
  const open = (token: string) => clientFor(setup.slack, token).apps.connections.open();
  await expect(open(setup.token)).rejects.toMatchObject({ data: { error: 'not_allowed_token_type' } });
  await expect(open('xapp-other')).rejects.toMatchObject({ data: { error: 'invalid_auth' } });
  expect((await open(config.appToken)).url).toMatch(/^ws:/);
  const off = await setUpWorkspace();
  const call = clientFor(off.slack, config.appToken).apps.connections.open();
  await expect(call).rejects.toMatchObject({ data: { error: 'access_denied' } });
});

test('a WebSocket connection needs a valid ticket', async () => {
  const setup = await setUpWorkspace({ app: socketApp });
  const { url = '' } = await clientFor(setup.slack, config.appToken).apps.connections.open();
  const wrong = url.replace(/ticket=[^&]+/, 'ticket=wrong').replace('ws:', 'http:');
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': 'x',
    'sec-websocket-version': '13',
  };
  const status = await new Promise((resolve, reject) => {
    request(wrong, { headers }, (response) => resolve(response.statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(404);
});

test("a message that isn't JSON closes its connection; the next connection works", async () => {
  const setup = await setUpWorkspace({ app: socketApp });
  const open = async () => {
    const { url = '' } = await clientFor(setup.slack, config.appToken).apps.connections.open();
    const socket = new WebSocket(url);
    onTestFinished(() => socket.terminate());
    const hello = await new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)))));
    return { socket, hello };
  };
  const bad = await open();
  const ended = new Promise((resolve) => bad.socket.once('close', resolve));
  bad.socket.send('not JSON');
  await ended;
  expect((await open()).hello).toMatchObject({ type: 'hello', num_connections: 1 });
});

test('connections take turns, are pinged, and are closed some time after a warning', async () => {
  const setup = await setUpWorkspace({ app: socketApp, behaviour: { socketPingMs: 5, socketRefreshMs: 20 } });
  const open = async () => {
    const { url = '' } = await clientFor(setup.slack, config.appToken).apps.connections.open();
    const socket = new WebSocket(url);
    onTestFinished(() => socket.terminate());
    const received: { type: string; reason?: string; envelope_id?: string }[] = [];
    socket.on('message', (data) => received.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('ping', resolve));
    return { socket, received };
  };
  const [first, second] = [await open(), await open()];
  const typed = [1, 2].map(() => setup.anna.types('/drop', { in: '#general' }));
  const commandsOf = ({ received }: typeof first) => received.filter(({ type }) => type === 'slash_commands');
  for (const connection of [first, second])
    await expectEventually(() => commandsOf(connection)).toEqual([expect.anything()]);
  const [one, other] = [first, second].map((connection) => commandsOf(connection)[0]?.envelope_id ?? '');
  // An answer counts only over the connection of its command.
  first.socket.send(JSON.stringify({ envelope_id: other }));
  first.socket.send(JSON.stringify({ envelope_id: one }));
  await expectEventually(() => setup.slack.deliveries.map(({ outcome }) => outcome).sort()).toEqual([
    'acked',
    'pending',
  ]);
  second.socket.send(JSON.stringify({ envelope_id: other }));
  await Promise.all(typed);
  const closed = new Promise((resolve) => first.socket.once('close', resolve));
  setup.slack.refreshSockets('warning');
  await closed;
  expect(first.received.at(-1)).toMatchObject({ type: 'disconnect', reason: 'warning' });
  expect(setup.slack.countSockets()).toBe(1);
});

test('an app is created from a valid manifest, and only with a configuration token', async () => {
  const configToken = 'xoxe.xoxp-1-token';
  const { slack, token } = await setUpWorkspace({ app: { ...config, configToken } });
  const create = (caller: string, text: string) =>
    clientFor(slack, caller).apiCall('apps.manifest.create', { manifest: text });
  const valid = JSON.stringify(socketApp.manifest);
  await expect(create(token, valid)).rejects.toMatchObject({ data: { error: 'not_allowed_token_type' } });
  await expect(create('xoxe.xoxp-other', valid)).rejects.toMatchObject({ data: { error: 'invalid_auth' } });
  const { event_subscriptions: _, ...settings } = manifest.settings ?? {};
  for (const [text, pointer] of [
    ['no JSON', '/display_information/name'],
    [JSON.stringify({ ...manifest, settings: { event_subscriptions: {} } }), '/settings/event_subscriptions'],
    [
      JSON.stringify({ ...manifest, settings: { ...settings, interactivity: { is_enabled: true } } }),
      '/settings/interactivity',
    ],
  ] as const) {
    const refusal = { error: 'invalid_manifest', errors: [{ message: expect.anything(), pointer }] };
    await expect(create(configToken, text)).rejects.toMatchObject({ data: refusal });
  }
  expect(await create(configToken, valid)).toMatchObject({
    app_id: config.id,
    credentials: {
      client_id: config.clientId,
      client_secret: config.clientSecret,
      signing_secret: config.signingSecret,
    },
    oauth_authorize_url: expect.stringContaining(`client_id=${config.clientId}`),
  });
  // Socket Mode is on now.
  expect((await clientFor(slack, config.appToken).apps.connections.open()).url).toMatch(/^ws:/);
});
