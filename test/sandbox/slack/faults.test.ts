import { setImmediate } from 'node:timers/promises';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { clientFor, eventually, plain, type Stage, section, startStage } from './helper.ts';

async function stageWithClient() {
  const stage = await startStage({ behaviour: { retryDelaysMs: [] } });
  return { ...stage, client: clientFor(stage.slack, stage.token), channel: stage.acme.channel('general').id };
}

const texts = ({ acme }: Stage) => acme.channel('general').messages.map(({ text }) => text);

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
  const stage = await stageWithClient();
  const fault = stage.slack.addFault({ method: 'chat.postMessage', kind });
  const raw = fetch(`${stage.slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.token}` },
    body: new URLSearchParams({ channel: stage.channel, text: 'Faulty' }),
  });
  const answer = await raw.catch(() => undefined);
  await fault.triggered;
  expect(answer?.status ?? 0).toBe(status);
  expect(texts(stage)).toEqual(done ? ['Faulty'] : []);
  expect(stage.slack.calls).toMatchObject([{ outcome: 'fault', status }]);
  await stage.client.chat.postMessage({ channel: stage.channel, text: 'Normal' });
  expect(texts(stage)).toContain('Normal');
});

test.each([
  ['hang', []],
  ['hang-after', ['Faulty']],
] as const)('a call with the fault %s is never answered and does not block close', async (kind, posted) => {
  const stage = await stageWithClient();
  const fault = stage.slack.addFault({ method: 'chat.postMessage', kind });
  const call = stage.client.chat.postMessage({ channel: stage.channel, text: 'Faulty' });
  const failed = expect(call).rejects.toThrow();
  await fault.triggered;
  expect(await isPending(call)).toBe(true);
  expect(texts(stage)).toEqual(posted);
  await stage.slack.close();
  await failed;
});

test('a delayed call completes when released', async () => {
  const stage = await stageWithClient();
  const fault = stage.slack.addFault({ method: 'chat.postMessage', kind: 'delay' });
  const call = stage.client.chat.postMessage({ channel: stage.channel, text: 'Delayed' });
  await fault.triggered;
  expect(texts(stage)).toEqual([]);
  fault.release();
  expect(await call).toMatchObject({ ok: true });
});

test('a fault is applied as often as set, and not after its removal', async () => {
  const stage = await stageWithClient();
  const fault = stage.slack.addFault({ method: 'auth.test', kind: 'error', error: 'internal_error', times: 3 });
  const outcomes = [];
  for (let call = 0; call < 4; call++) {
    if (call === 2) fault.remove();
    outcomes.push(
      await stage.client.auth.test().then(
        () => 'ok',
        ({ data }) => data.error,
      ),
    );
  }
  expect(outcomes).toEqual(['internal_error', 'internal_error', 'ok', 'ok']);
});

test('a download can be cut off', async () => {
  const stage = await stageWithClient();
  await stage.anna.shares([{ name: 'a.bin', data: Buffer.alloc(200_000) }], { in: '#general' });
  const { file } = await stage.client.files.info({ file: stage.acme.files[0]?.id ?? '' });
  stage.slack.addFault({ method: 'download', kind: 'cut' });
  const headers = { authorization: `Bearer ${stage.token}` };
  const { statusCode, body } = await request(file?.url_private_download ?? '', { headers });
  expect(statusCode).toBe(200);
  await expect(body.arrayBuffer()).rejects.toThrow();
});

async function startCountingBot(stage: Stage): Promise<{ triggers: string[] }> {
  const seen: { triggers: string[] } = { triggers: [] };
  await startBot(stage, (app) => {
    app.command('/drop', async ({ ack, command }) => {
      await ack();
      seen.triggers.push(command.trigger_id);
    });
  });
  return seen;
}

test('a delivery can be duplicated', async () => {
  const stage = await stageWithClient();
  const seen = await startCountingBot(stage);
  stage.slack.addFault({ delivery: 'slash_command', kind: 'duplicate' });
  await stage.anna.types('/drop', { in: '#general' });
  await eventually(() => seen.triggers).toHaveLength(2);
  expect(new Set(seen.triggers).size).toBe(1);
});

test('a duplicated form shows the first answer at once and ignores the second', async () => {
  const stage = await stageWithClient();
  const view = (title: string) => ({
    type: 'modal' as const,
    callback_id: 'f',
    title: plain(title),
    blocks: [section('x')],
  });
  let answered = 0;
  let answerSecond = () => {};
  const held = new Promise<void>((resolve) => {
    answerSecond = resolve;
  });
  await startBot(stage, (app) => {
    app.command('/drop', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: { ...view('Form'), submit: plain('Go') } });
    });
    app.view('f', async ({ ack }) => {
      answered += 1;
      if (answered === 1) return ack({ response_action: 'update', view: view('The first') });
      await held;
      await ack({ response_action: 'update', view: view('The second') });
    });
  });
  await stage.anna.types('/drop', { in: '#general' });
  await stage.anna.sees('Form');
  stage.slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await stage.anna.submits('Go');
  await stage.anna.sees('The first');
  expect(stage.slack.deliveries.filter(({ outcome }) => outcome === 'pending')).toHaveLength(1);
  answerSecond();
  await stage.slack.settled();
  expect(answered).toBe(2);
  await stage.anna.sees('The first');
});

test('an event can be repeated with another id', async () => {
  const stage = await stageWithClient();
  await startBot(stage, (app) => app.event('app_home_opened', async () => {}));
  stage.slack.addFault({ delivery: 'event', event: 'app_home_opened', kind: 'repeat' });
  await stage.anna.opens('Home of Dropline');
  await stage.slack.settled();
  const delivered = stage.slack.deliveries.map(({ retry, payload }) => ({ retry, id: payload.event_id }));
  expect(delivered.map(({ retry }) => retry)).toEqual([0, 0]);
  expect(new Set(delivered.map(({ id }) => id)).size).toBe(2);
});

test('a delivery can be late, after its trigger has expired', async () => {
  const stage = await stageWithClient();
  const seen = await startCountingBot(stage);
  const fault = stage.slack.addFault({ delivery: 'slash_command', kind: 'delay' });
  const typed = stage.anna.types('/drop', { in: '#general' });
  await fault.triggered;
  stage.clock.skipped = 5000;
  fault.release();
  await typed;
  const view = { type: 'modal' as const, title: plain('T'), blocks: [section('x')] };
  const call = stage.client.views.open({ trigger_id: seen.triggers[0] ?? '', view });
  await expect(call).rejects.toMatchObject({ data: { error: 'expired_trigger_id' } });
});

test('the person sees an error if a delivery does not reach the bot', async () => {
  const stage = await stageWithClient();
  const seen = await startCountingBot(stage);
  stage.slack.addFault({ delivery: 'slash_command', kind: 'unreachable' });
  await stage.anna.types('/drop', { in: '#general' });
  await stage.anna.sees('/drop failed with the error "dispatch_failed"');
  expect(seen.triggers).toEqual([]);
});

test('the person sees an error if the answer is lost, although the bot did its work', async () => {
  const stage = await stageWithClient();
  const seen = await startCountingBot(stage);
  stage.slack.addFault({ delivery: 'slash_command', kind: 'lost-answer' });
  await stage.anna.types('/drop', { in: '#general' });
  await stage.anna.sees('/drop failed with the error "dispatch_failed"');
  await eventually(() => seen.triggers).toHaveLength(1);
});

test('a fault can be limited to one kind of event', async () => {
  const stage = await stageWithClient();
  await startBot(stage, (app) => app.event('message', async () => {}));
  stage.slack.addFault({ delivery: 'event', event: 'file_shared', kind: 'unreachable' });
  await stage.anna.shares([{ name: 'a.txt', data: 'x' }], { in: 'Dropline' });
  await stage.slack.settled();
  const outcomes = Object.fromEntries(stage.slack.deliveries.map(({ event, outcome }) => [event, outcome]));
  expect(outcomes).toEqual({ app_home_opened: 'acked', message: 'acked', file_shared: 'failed' });
});

test('the app cannot post to a channel that it was removed from or that is archived', async () => {
  const stage = await stageWithClient();
  const general = stage.acme.channel('general');
  general.remove('app');
  const call = () => stage.client.chat.postMessage({ channel: stage.channel, text: 'x' });
  await expect(call()).rejects.toMatchObject({ data: { error: 'not_in_channel' } });
  general.add('app');
  general.archive();
  await expect(call()).rejects.toMatchObject({ data: { error: 'is_archived' } });
});
