import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { setUpWorkspace } from './helper.ts';

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
