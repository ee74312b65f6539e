import { expect, test } from 'vitest';
import { plain, section, startBot, startStage } from './helper.ts';

test('a command is answered to the person who typed it, and to nobody else', async () => {
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

test('a command opens a form, which comes back filled in', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => {
    app.command('/drop', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({
        trigger_id: body.trigger_id,
        view: {
          type: 'modal',
          callback_id: 'send',
          title: plain('Send'),
          submit: plain('Send it'),
          blocks: [
            section('*Hello*'),
            {
              type: 'input',
              block_id: 'm',
              label: plain('Message'),
              element: { type: 'plain_text_input', action_id: 't' },
            },
          ],
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
