import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { plain, section, startStage } from './helper.ts';

test('a message shortcut includes the message and its files', async () => {
  const stage = await startStage();
  const names: unknown[] = [];
  await startBot(stage, (app) => {
    app.shortcut('send_message', async ({ ack, shortcut, client }) => {
      await ack();
      if (shortcut.type !== 'message_action') return;
      names.push(...(shortcut.message.files ?? []).map((file: { name: string }) => file.name));
      const view = { type: 'modal' as const, title: plain('Send'), blocks: [section('Sending')] };
      await client.views.open({ trigger_id: shortcut.trigger_id, view });
    });
  });
  await stage.bo.shares([{ name: 'report.pdf', data: 'pdf' }], { in: '#general', text: 'Here it is' });
  await stage.anna.opens('#general');
  await stage.anna.usesShortcut('Send securely', { on: 'Here it is' });
  await stage.anna.sees('Sending');
  expect(names).toEqual(['report.pdf']);
});

test('a global shortcut has a trigger and no channel', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => {
    app.shortcut('new_transfer', async ({ ack, shortcut, client }) => {
      await ack();
      const view = { type: 'modal' as const, title: plain('New'), blocks: [section('A new one')] };
      await client.views.open({ trigger_id: shortcut.trigger_id, view });
    });
  });
  await stage.anna.opens('Home of Dropline');
  await stage.anna.usesShortcut('New transfer');
  await stage.anna.sees('A new one');
  const { payload } = stage.slack.deliveries.find(({ kind }) => kind === 'shortcut') ?? {};
  expect(Object.keys(payload ?? {}).sort()).not.toContain('response_url');
  expect(payload).not.toHaveProperty('channel');
});

test('the answer to a message shortcut never changes the message', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => {
    app.shortcut('send_message', async ({ ack, respond }) => {
      await ack();
      await respond({ replace_original: true, text: 'Answer' });
    });
  });
  await stage.bo.types('Mine', { in: '#general' });
  await stage.anna.opens('#general');
  await stage.anna.usesShortcut('Send securely', { on: 'Mine' });
  await stage.anna.sees('Bo: Mine');
  await stage.anna.sees('Dropline (only visible to you): Answer');
});

test('an ephemeral message has no shortcuts', async () => {
  const stage = await startStage({ behaviour: { timeoutMs: 20 } });
  await startBot(stage, (app) => app.command('/drop', async ({ ack }) => ack('Just you')));
  await stage.anna.types('/drop', { in: '#general' });
  await stage.anna.sees('Just you');
  await expect(stage.anna.usesShortcut('Send securely', { on: 'Just you' })).rejects.toThrow('Offered: nothing');
});

test('the person sees an error if a shortcut is not acknowledged', async () => {
  const stage = await startStage({ behaviour: { ackMs: 100 } });
  await startBot(stage, () => {});
  await stage.anna.opens('#general');
  await stage.anna.usesShortcut('New transfer');
  await stage.anna.sees('New transfer failed with the error "operation_timeout"');
});
