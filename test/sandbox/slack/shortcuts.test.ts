import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { plain, section, setUpWorkspace } from './helper.ts';

test('a message shortcut includes the message and its files', async () => {
  const setup = await setUpWorkspace();
  const names: unknown[] = [];
  await startBot(setup, (app) => {
    app.shortcut('send_message', async ({ ack, shortcut, client }) => {
      await ack();
      if (shortcut.type !== 'message_action') return;
      names.push(...(shortcut.message.files ?? []).map((file: { name: string }) => file.name));
      const view = { type: 'modal' as const, title: plain('Send'), blocks: [section('Sending')] };
      await client.views.open({ trigger_id: shortcut.trigger_id, view });
    });
  });
  await setup.bo.shares([{ name: 'report.pdf', data: 'pdf' }], { in: '#general', text: 'Here it is' });
  await setup.anna.opens('#general');
  await setup.anna.usesShortcut('Send securely', { on: 'Here it is' });
  await setup.anna.sees('Sending');
  expect(names).toEqual(['report.pdf']);
});

test('a global shortcut has a trigger and no channel', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => {
    app.shortcut('new_transfer', async ({ ack, shortcut, client }) => {
      await ack();
      const view = { type: 'modal' as const, title: plain('New'), blocks: [section('A new one')] };
      await client.views.open({ trigger_id: shortcut.trigger_id, view });
    });
  });
  await setup.anna.opens('Home of Dropline');
  await setup.anna.usesShortcut('New transfer');
  await setup.anna.sees('A new one');
  const { payload } = setup.slack.deliveries.find(({ kind }) => kind === 'shortcut') ?? {};
  expect(Object.keys(payload ?? {}).sort()).not.toContain('response_url');
  expect(payload).not.toHaveProperty('channel');
});

test('the answer to a message shortcut never changes the message', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => {
    app.shortcut('send_message', async ({ ack, respond }) => {
      await ack();
      await respond({ replace_original: true, text: 'Answer' });
    });
  });
  await setup.bo.types('Mine', { in: '#general' });
  await setup.anna.opens('#general');
  await setup.anna.usesShortcut('Send securely', { on: 'Mine' });
  await setup.anna.sees('Bo: Mine');
  await setup.anna.sees('Dropline (only visible to you): Answer');
});

test('an ephemeral message has no shortcuts', async () => {
  const setup = await setUpWorkspace({ behaviour: { timeoutMs: 20 } });
  await startBot(setup, (app) => app.command('/drop', async ({ ack }) => ack('Just you')));
  await setup.anna.types('/drop', { in: '#general' });
  await setup.anna.sees('Just you');
  await expect(setup.anna.usesShortcut('Send securely', { on: 'Just you' })).rejects.toThrow('Offered: nothing');
});

test('the person sees an error if a shortcut is not acknowledged', async () => {
  const setup = await setUpWorkspace({ behaviour: { ackMs: 100 } });
  await startBot(setup, () => {});
  await setup.anna.opens('#general');
  await setup.anna.usesShortcut('New transfer');
  await setup.anna.sees('New transfer failed with the error "operation_timeout"');
});
