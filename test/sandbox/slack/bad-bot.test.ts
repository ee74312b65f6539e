import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@slack/bolt';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { clientFor, app as config, expectEventually, plain, section, setUpWorkspace } from './helper.ts';

const modal = (blocks: object[]) => ({ type: 'modal' as const, title: plain('T'), blocks: blocks as never });

/** Starts a bot with this command, types it and waits for the outcome. */
async function runCommandOf(listener: Parameters<App['command']>[1], ackMs = 3000) {
  const setup = await setUpWorkspace({ behaviour: { ackMs } });
  await startBot(setup, (app) => app.command('/drop', listener));
  await setup.anna.types('/drop', { in: '#general' });
  await expectEventually(() => setup.slack.deliveries[0]?.outcome).not.toBe('pending');
  return setup;
}

test('a bot that acknowledges too late is reported', async () => {
  const { slack, anna } = await runCommandOf(async ({ ack }) => {
    await sleep(300);
    await ack('Done').catch(() => {});
  }, 100);
  expect(slack.deliveries).toMatchObject([{ outcome: 'late', problem: 'http_timeout' }]);
  await anna.sees('/drop failed with the error "operation_timeout"');
  await sleep(200);
  await anna.doesNotSee('Done');
});

test('a bot has three seconds to acknowledge by default', async () => {
  const { slack } = await setUpWorkspace();
  expect(slack.behaviour).toMatchObject({ ackMs: 3000, triggerMs: 3000 });
});

test('a bot that never acknowledges is reported', async () => {
  const { slack } = await runCommandOf(async () => {}, 100);
  expect(slack.deliveries).toMatchObject([{ outcome: 'late' }]);
});

test('a bot that throws before it acknowledges is reported', async () => {
  const { slack, anna } = await runCommandOf(async () => {
    throw new Error('no');
  });
  expect(slack.deliveries).toMatchObject([{ outcome: 'failed', status: 500 }]);
  await anna.sees('dispatch_failed');
});

test('a trigger that is used twice is refused the second time', async () => {
  const { slack } = await runCommandOf(async ({ ack, client, body }) => {
    await ack();
    const open = () => client.views.open({ trigger_id: body.trigger_id, view: modal([section('x')]) });
    await open();
    await open().catch(() => {});
  });
  await expectEventually(() => slack.calls.map(({ error }) => error)).toEqual([undefined, 'exchanged_trigger_id']);
});

test('an oversized view is refused and does not use up its trigger', async () => {
  const { slack, anna } = await runCommandOf(async ({ ack, client, body }) => {
    await ack();
    const open = (count: number) => {
      const view = modal(Array.from({ length: count }, () => section('x'.repeat(2900))));
      return client.views.open({ trigger_id: body.trigger_id, view }).catch(() => {});
    };
    await open(100);
    await open(101);
    await open(1);
  });
  await expectEventually(() => slack.calls.map(({ error }) => error)).toEqual([
    'view_too_large',
    'invalid_arguments',
    undefined,
  ]);
  await anna.sees('xxx');
});

test('a wrong token is refused by the API and by downloads', async () => {
  const setup = await setUpWorkspace();
  await setup.anna.shares([{ name: 'a.txt', data: 'abc' }], { in: '#general' });
  const { file } = await clientFor(setup.slack, setup.token).files.info({ file: setup.acme.files[0]?.id ?? '' });
  const wrong = clientFor(setup.slack, 'xoxb-wrong').files.info({ file: file?.id ?? '' });
  await expect(wrong).rejects.toMatchObject({ data: { error: 'invalid_auth' } });
  const headers = { authorization: 'Bearer xoxb-wrong' };
  const { statusCode } = await request(file?.url_private_download ?? '', { headers });
  expect(statusCode).toBe(302);
  expect(setup.slack.calls.at(-1)).toMatchObject({ method: 'download', ok: false, error: 'acl_fail' });
});

test('an upload that differs from its announced length is refused', async () => {
  const setup = await setUpWorkspace();
  const { upload_url: url = '' } = await clientFor(setup.slack, setup.token).files.getUploadURLExternal({
    filename: 'a.txt',
    length: 5,
  });
  const { statusCode } = await request(url, { method: 'POST', body: 'abc' });
  expect(statusCode).toBe(400);
  expect(setup.slack.calls.at(-1)).toMatchObject({ method: 'upload', ok: false });
});

test('an invalid suggestion counts as a failed delivery', async () => {
  const setup = await setUpWorkspace({ behaviour: { timeoutMs: 20 } });
  await startBot(setup, (app) => {
    app.command('/drop', async ({ ack, client, body }) => {
      await ack();
      const element = { type: 'multi_external_select', action_id: 'e', min_query_length: 1 };
      const blocks = [{ type: 'input', label: plain('Who'), element }];
      const view = { ...modal(blocks), submit: plain('Go') };
      await client.views.open({ trigger_id: body.trigger_id, view });
    });
    const long = { text: plain('x'.repeat(76)), value: 'v' };
    app.options('e', async ({ ack }) => ack({ options: [long] }));
  });
  await setup.anna.types('/drop', { in: '#general' });
  await expectEventually(() => setup.anna.screen()).toContain('Who');
  await expect(setup.anna.picks('Who', 'x')).rejects.toThrow('Offered: nothing');
  expect(setup.slack.deliveries.at(-1)).toMatchObject({ kind: 'block_suggestion', outcome: 'failed' });
});

test('a delivery to a bot with another signing secret fails', async () => {
  const setup = await setUpWorkspace({ app: { ...config, signingSecret: 'another' } });
  await startBot(setup, (app) => app.command('/drop', async ({ ack }) => ack()));
  await setup.anna.types('/drop', { in: '#general' });
  expect(setup.slack.deliveries).toMatchObject([{ outcome: 'failed', status: 401 }]);
});
