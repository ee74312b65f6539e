import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { plain, section, startStage } from './helper.ts';

test('an answer to a command is visible only to the person who typed it', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => {
    app.command('/drop', async ({ ack, command }) => ack(`You typed ${command.text}`));
  });
  await stage.anna.types('/drop hello there', { in: '#general' });
  await stage.anna.sees('You typed hello there');
  await stage.bo.opens('#general');
  await stage.bo.doesNotSee('You typed');
  expect(stage.slack.deliveries).toMatchObject([{ kind: 'slash_command', outcome: 'acked', status: 200, retry: 0 }]);
});

test('an in_channel answer is visible to everyone in the channel', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => {
    app.command('/drop', async ({ ack }) =>
      ack({ response_type: 'in_channel', text: 'For all', blocks: [section('For *all*')] }),
    );
  });
  await stage.anna.types('/drop', { in: '#general' });
  await stage.bo.opens('#general');
  await stage.bo.sees('For all');
});

test('people, channels and links in a command are encoded as in Slack', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => {
    app.command('/drop', async ({ ack, command }) => ack(`\`${command.text}\``));
  });
  await stage.anna.types('/drop @bo #general a@b.example https://x.example <b> & co', { in: '#general' });
  const general = stage.acme.channel('general');
  expect(stage.slack.deliveries[0]?.payload.text).toBe(
    `<@${stage.bo.id}|bo> <#${general.id}|general> <mailto:a@b.example|a@b.example> <https://x.example> &lt;b&gt; &amp; co`,
  );
});

test('a command can open a form and receive its entries', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => {
    app.command('/drop', async ({ ack, client, body }) => {
      await ack();
      const element = { type: 'plain_text_input' as const, action_id: 't' };
      await client.views.open({
        trigger_id: body.trigger_id,
        view: {
          type: 'modal',
          callback_id: 'send',
          title: plain('Send'),
          submit: plain('Send it'),
          blocks: [section('*Hello*'), { type: 'input', block_id: 'm', label: plain('Message'), element }],
        },
      });
    });
    app.view('send', async ({ ack, view, body, client }) => {
      await ack();
      await client.chat.postMessage({ channel: body.user.id, text: `Sent: ${view.state.values.m?.t?.value}` });
    });
  });
  await stage.anna.types('/drop', { in: '#general' });
  await stage.anna.sees('Hello');
  await stage.anna.fills('Message', 'good day');
  await stage.anna.submits('Send it');
  await stage.anna.opens('Dropline');
  await stage.anna.sees('Sent: good day');
});

test('unknown commands and commands in threads are not delivered', async () => {
  const stage = await startStage();
  await startBot(stage, () => {});
  await stage.anna.types('/other', { in: '#general' });
  await stage.anna.sees('/other is not a valid command.');
  await stage.anna.types('First', { in: '#general' });
  await expect(stage.anna.types('/drop', { thread: 'First' })).rejects.toThrow('cannot be used in threads');
  expect(stage.slack.deliveries).toEqual([]);
});

test('an invalid answer is a failed delivery, and the person sees an error', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => {
    app.command('/drop', async ({ ack }) =>
      ack({ text: 'x', blocks: [{ type: 'header', text: plain('h'.repeat(151)) }] }),
    );
  });
  await stage.anna.types('/drop', { in: '#general' });
  await stage.anna.sees('/drop failed with the error "dispatch_failed"');
  expect(stage.slack.deliveries).toMatchObject([
    { outcome: 'failed', problem: expect.stringContaining('invalid_blocks') },
  ]);
});

test('an app without the commands scope has no commands', async () => {
  const stage = await startStage();
  stage.acme.uninstall();
  stage.acme.install({ by: stage.anna, scopes: ['chat:write'] });
  await stage.anna.types('/drop', { in: '#general' });
  await stage.anna.sees('/drop is not a valid command.');
});
