import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { startSlackServer } from '../../../src/sandbox/slack/index.ts';
import { app as config, expectEventually, manifest, setUpWorkspace } from './helper.ts';
import { ok, retries, startPlainBot } from './plain-bot.ts';

test('an event is signed and contains its workspace and bot', async () => {
  const setup = await setUpWorkspace();
  const received = await startPlainBot(setup, ok);
  await setup.anna.types('Hello', { in: 'Dropline' });
  await setup.slack.untilIdle();
  const message = received.find(({ body }) => body.includes('"type":"message"'));
  const { headers, body = '' } = message ?? {};
  const timestamp = headers?.['x-slack-request-timestamp'];
  const digest = createHmac('sha256', config.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  expect(headers?.['x-slack-signature']).toBe(`v0=${digest}`);
  expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(60);
  expect(headers?.['content-type']).toBe('application/json');
  expect(JSON.parse(body)).toMatchObject({
    type: 'event_callback',
    team_id: setup.acme.id,
    api_app_id: config.id,
    event: { type: 'message', channel_type: 'im', text: 'Hello', user: setup.anna.id },
    event_id: expect.stringMatching(/^Ev/),
    is_ext_shared_channel: false,
    authorizations: [{ team_id: setup.acme.id, user_id: setup.acme.installation?.botUserId, is_bot: true }],
  });
});

test('a failed event is retried three times, with number and reason', async () => {
  const setup = await setUpWorkspace({ behaviour: { retryDelaysMs: [0, 10, 20] } });
  const received = await startPlainBot(setup, (_, response) => void response.writeHead(500).end());
  await setup.anna.opens('Home of Dropline');
  await expectEventually(() => retries(setup)).toEqual(['0 failed', '1 failed', '2 failed', '3 failed']);
  expect(received.map(({ headers }) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']])).toEqual([
    [undefined, undefined],
    ['1', 'http_error'],
    ['2', 'http_error'],
    ['3', 'http_error'],
  ]);
  const ids = received.map(({ body }) => JSON.parse(body).event_id);
  expect(new Set(ids).size).toBe(1);
});

test('a bot can refuse retries with x-slack-no-retry', async () => {
  const setup = await setUpWorkspace({ behaviour: { retryDelaysMs: [0, 0, 0] } });
  await startPlainBot(setup, (_, response) => void response.writeHead(500, { 'x-slack-no-retry': '1' }).end());
  await setup.anna.opens('Home of Dropline');
  await setup.slack.untilIdle();
  expect(retries(setup)).toEqual(['0 failed']);
});

test('Slack waits a minute before the second retry and five before the third', async () => {
  const setup = await setUpWorkspace();
  await startPlainBot(setup, (_, response) => void response.writeHead(500).end());
  expect(setup.slack.behaviour.retryDelaysMs).toEqual([0, 60_000, 300_000]);
  await setup.anna.opens('Home of Dropline');
  await expectEventually(() => retries(setup)).toEqual(['0 failed', '1 failed']);
});

test('an event is sent only with a subscription, a scope and the app in the channel', async () => {
  const setup = await setUpWorkspace();
  await startPlainBot(setup, ok);
  setup.acme.addChannel({ name: 'apart', members: [setup.anna] });
  await setup.anna.types('Nobody asked for messages of channels', { in: '#general' });
  await setup.anna.shares([{ name: 'a.txt', data: 'x' }], { in: '#apart' });
  await setup.anna.types('A direct message to somebody else', { in: 'Bo' });
  await setup.slack.untilIdle();
  expect(setup.slack.deliveries).toEqual([]);
  setup.acme.uninstall();
  setup.acme.install({ by: setup.anna, scopes: ['chat:write'] });
  await setup.slack.untilIdle();
  const before = setup.slack.deliveries.length;
  await setup.anna.types('Without the scope', { in: 'Dropline' });
  await setup.slack.untilIdle();
  expect(setup.slack.deliveries.slice(before).map(({ event }) => event)).toEqual(['app_home_opened']);
});

test('an event in a shared channel can come from another workspace', async () => {
  const setup = await setUpWorkspace();
  await startPlainBot(setup, ok);
  const sten = setup.acme.addPerson({ name: 'Sten', role: 'stranger' });
  setup.acme.addChannel({ name: 'partners', shared: true, members: [setup.anna, sten, 'app'] });
  await sten.shares([{ name: 'a.txt', data: 'x' }], { in: '#partners' });
  await setup.slack.untilIdle();
  const payload = setup.slack.deliveries[0]?.payload;
  expect(payload).toMatchObject({ is_ext_shared_channel: true, authorizations: [{ team_id: setup.acme.id }] });
  expect(payload?.team_id).not.toBe(setup.acme.id);
});

test("if an event isn't simulated, a manifest that subscribes to it is refused", async () => {
  const settings = { ...manifest.settings, event_subscriptions: { bot_events: ['message.im', 'app_mention'] } };
  const starting = startSlackServer({ app: { ...config, manifest: { ...manifest, settings } } });
  await expect(starting).rejects.toThrow('these events are not simulated: app_mention');
});
