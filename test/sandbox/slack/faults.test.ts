import { setImmediate } from 'node:timers/promises';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { clientFor, expectEventually, plain, section, setUpWorkspace, type TestWorkspace } from './helper.ts';

async function setUpWithClient() {
  const setup = await setUpWorkspace({ behaviour: { retryDelaysMs: [] } });
  return { ...setup, client: clientFor(setup.slack, setup.token), channel: setup.acme.channel('general').id };
}

const texts = ({ acme }: TestWorkspace) => acme.channel('general').messages.map(({ text }) => text);

/** Whether a promise is still pending after 20 turns of the event loop. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  const markDone = () => {
    isDone = true;
  };
  promise.then(markDone, markDone);
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  return !isDone;
}

test.each([
  ['rate-limited', false, 429],
  ['server-error', false, 500],
  ['error', false, 200],
  ['reset-before', false, 0],
  ['reset-after', true, 0],
] as const)('a call with the fault %s fails (processed: %s)', async (kind, done, status) => {
  const setup = await setUpWithClient();
  const fault = setup.slack.addFault({ method: 'chat.postMessage', kind });
  const raw = fetch(`${setup.slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${setup.token}` },
    body: new URLSearchParams({ channel: setup.channel, text: 'Faulty' }),
  });
  const answer = await raw.catch(() => undefined);
  await fault.triggered;
  expect(answer?.status ?? 0).toBe(status);
  expect(texts(setup)).toEqual(done ? ['Faulty'] : []);
  expect(setup.slack.calls).toMatchObject([{ outcome: 'fault', status }]);
  await setup.client.chat.postMessage({ channel: setup.channel, text: 'Normal' });
  expect(texts(setup)).toContain('Normal');
});

test.each([
  ['hang', []],
  ['hang-after', ['Faulty']],
] as const)('a call with the fault %s is never answered and does not block close()', async (kind, posted) => {
  const setup = await setUpWithClient();
  const fault = setup.slack.addFault({ method: 'chat.postMessage', kind });
  const call = setup.client.chat.postMessage({ channel: setup.channel, text: 'Faulty' });
  const failed = expect(call).rejects.toThrow();
  await fault.triggered;
  expect(await isPending(call)).toBe(true);
  expect(texts(setup)).toEqual(posted);
  await setup.slack.close();
  await failed;
});

test('a delayed call completes when released', async () => {
  const setup = await setUpWithClient();
  const fault = setup.slack.addFault({ method: 'chat.postMessage', kind: 'delay' });
  const call = setup.client.chat.postMessage({ channel: setup.channel, text: 'Delayed' });
  await fault.triggered;
  expect(texts(setup)).toEqual([]);
  fault.release();
  expect(await call).toMatchObject({ ok: true });
});

test('a fault with several uses applies to each call until it is removed', async () => {
  const setup = await setUpWithClient();
  const fault = setup.slack.addFault({ method: 'auth.test', kind: 'error', error: 'internal_error', times: 3 });
  const outcomes = [];
  for (let call = 0; call < 4; call++) {
    if (call === 2) fault.remove();
    outcomes.push(
      await setup.client.auth.test().then(
        () => 'ok',
        ({ data }) => data.error,
      ),
    );
  }
  expect(outcomes).toEqual(['internal_error', 'internal_error', 'ok', 'ok']);
});

test('a download from Slack can be interrupted', async () => {
  const setup = await setUpWithClient();
  await setup.anna.shares([{ name: 'a.bin', data: Buffer.alloc(200_000) }], { in: '#general' });
  const { file } = await setup.client.files.info({ file: setup.acme.files[0]?.id ?? '' });
  setup.slack.addFault({ method: 'download', kind: 'cut' });
  const headers = { authorization: `Bearer ${setup.token}` };
  const { statusCode, body } = await request(file?.url_private_download ?? '', { headers });
  expect(statusCode).toBe(200);
  await expect(body.arrayBuffer()).rejects.toThrow();
});

async function startCountingBot(setup: TestWorkspace): Promise<{ triggers: string[] }> {
  const seen: { triggers: string[] } = { triggers: [] };
  await startBot(setup, (app) => {
    app.command('/drop', async ({ ack, command }) => {
      await ack();
      seen.triggers.push(command.trigger_id);
    });
  });
  return seen;
}

test('a delivery can be duplicated', async () => {
  const setup = await setUpWithClient();
  const seen = await startCountingBot(setup);
  setup.slack.addFault({ delivery: 'slash_command', kind: 'duplicate' });
  await setup.anna.types('/drop', { in: '#general' });
  await expectEventually(() => seen.triggers).toHaveLength(2);
  expect(new Set(seen.triggers).size).toBe(1);
});

test('a form delivered twice shows the first answer and ignores the second', async () => {
  const setup = await setUpWithClient();
  const view = (title: string) => ({
    type: 'modal' as const,
    callback_id: 'f',
    title: plain(title),
    blocks: [section('x')],
  });
  let answered = 0;
  let releaseSecond = () => {};
  const secondIsReleased = new Promise<void>((resolve) => {
    releaseSecond = resolve;
  });
  await startBot(setup, (app) => {
    app.command('/drop', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: { ...view('Form'), submit: plain('Go') } });
    });
    app.view('f', async ({ ack }) => {
      answered += 1;
      if (answered === 1) return ack({ response_action: 'update', view: view('The first') });
      await secondIsReleased;
      await ack({ response_action: 'update', view: view('The second') });
    });
  });
  await setup.anna.types('/drop', { in: '#general' });
  await setup.anna.sees('Form');
  setup.slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await setup.anna.submits('Go');
  await setup.anna.sees('The first');
  expect(setup.slack.deliveries.filter(({ outcome }) => outcome === 'pending')).toHaveLength(1);
  releaseSecond();
  await setup.slack.untilIdle();
  expect(answered).toBe(2);
  await setup.anna.sees('The first');
});

test('an event can be repeated with another id', async () => {
  const setup = await setUpWithClient();
  await startBot(setup, (app) => app.event('app_home_opened', async () => {}));
  setup.slack.addFault({ delivery: 'event', event: 'app_home_opened', kind: 'repeat' });
  await setup.anna.opens('Home of Dropline');
  await setup.slack.untilIdle();
  const delivered = setup.slack.deliveries.map(({ retry, payload }) => ({ retry, id: payload.event_id }));
  expect(delivered.map(({ retry }) => retry)).toEqual([0, 0]);
  expect(new Set(delivered.map(({ id }) => id)).size).toBe(2);
});

test('a delivery can arrive after its trigger has expired', async () => {
  const setup = await setUpWithClient();
  const seen = await startCountingBot(setup);
  const fault = setup.slack.addFault({ delivery: 'slash_command', kind: 'delay' });
  const typed = setup.anna.types('/drop', { in: '#general' });
  await fault.triggered;
  setup.clock.skipped = 5000;
  fault.release();
  await typed;
  const view = { type: 'modal' as const, title: plain('T'), blocks: [section('x')] };
  const call = setup.client.views.open({ trigger_id: seen.triggers[0] ?? '', view });
  await expect(call).rejects.toMatchObject({ data: { error: 'expired_trigger_id' } });
});

test('the person sees an error if a delivery does not reach the bot', async () => {
  const setup = await setUpWithClient();
  const seen = await startCountingBot(setup);
  setup.slack.addFault({ delivery: 'slash_command', kind: 'unreachable' });
  await setup.anna.types('/drop', { in: '#general' });
  await setup.anna.sees('/drop failed with the error "dispatch_failed"');
  expect(seen.triggers).toEqual([]);
});

test('the person sees an error if the answer is lost, although the bot did its work', async () => {
  const setup = await setUpWithClient();
  const seen = await startCountingBot(setup);
  setup.slack.addFault({ delivery: 'slash_command', kind: 'lost-answer' });
  await setup.anna.types('/drop', { in: '#general' });
  await setup.anna.sees('/drop failed with the error "dispatch_failed"');
  await expectEventually(() => seen.triggers).toHaveLength(1);
});

test('a fault can be limited to one kind of event', async () => {
  const setup = await setUpWithClient();
  await startBot(setup, (app) => app.event('message', async () => {}));
  setup.slack.addFault({ delivery: 'event', event: 'file_shared', kind: 'unreachable' });
  await setup.anna.shares([{ name: 'a.txt', data: 'x' }], { in: 'Dropline' });
  await setup.slack.untilIdle();
  const outcomes = Object.fromEntries(setup.slack.deliveries.map(({ event, outcome }) => [event, outcome]));
  expect(outcomes).toEqual({ app_home_opened: 'acked', message: 'acked', file_shared: 'failed' });
});

test('the app cannot post to a channel that it was removed from or that is archived', async () => {
  const setup = await setUpWithClient();
  const general = setup.acme.channel('general');
  general.remove('app');
  const call = () => setup.client.chat.postMessage({ channel: setup.channel, text: 'x' });
  await expect(call()).rejects.toMatchObject({ data: { error: 'not_in_channel' } });
  general.add('app');
  general.archive();
  await expect(call()).rejects.toMatchObject({ data: { error: 'is_archived' } });
});
