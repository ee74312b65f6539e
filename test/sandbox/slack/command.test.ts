import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { plain, section, setUpWorkspace } from './helper.ts';

test('an in_channel answer is visible to everyone in the channel', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => {
    app.command('/drop', async ({ ack }) =>
      ack({ response_type: 'in_channel', text: 'For all', blocks: [section('For *all*')] }),
    );
  });
  await setup.anna.types('/drop', { in: '#general' });
  await setup.bo.opens('#general');
  await setup.bo.sees('For all');
});

test('people, channels and links in a command are encoded as in Slack', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => {
    app.command('/drop', async ({ ack, command }) => ack(`\`${command.text}\``));
  });
  await setup.anna.types('/drop @bo #general a@b.example https://x.example <b> & co', { in: '#general' });
  const general = setup.acme.channel('general');
  expect(setup.slack.deliveries[0]?.payload.text).toBe(
    `<@${setup.bo.id}|bo> <#${general.id}|general> <mailto:a@b.example|a@b.example> <https://x.example> &lt;b&gt; &amp; co`,
  );
});

test('unknown commands and commands in threads are not delivered', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, () => {});
  await setup.anna.types('/other', { in: '#general' });
  await setup.anna.sees('/other is not a valid command.');
  await setup.anna.types('First', { in: '#general' });
  await expect(setup.anna.types('/drop', { thread: 'First' })).rejects.toThrow('cannot be used in threads');
  expect(setup.slack.deliveries).toEqual([]);
});

test('an invalid answer counts as a failed delivery and shows the person an error', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => {
    app.command('/drop', async ({ ack }) =>
      ack({ text: 'x', blocks: [{ type: 'header', text: plain('h'.repeat(151)) }] }),
    );
  });
  await setup.anna.types('/drop', { in: '#general' });
  await setup.anna.sees('/drop failed with the error "dispatch_failed"');
  expect(setup.slack.deliveries).toMatchObject([
    { outcome: 'failed', problem: expect.stringContaining('invalid_blocks') },
  ]);
});

test('an app without the commands scope has no commands', async () => {
  const setup = await setUpWorkspace();
  setup.acme.uninstall();
  setup.acme.install({ by: setup.anna, scopes: ['chat:write'] });
  await setup.anna.types('/drop', { in: '#general' });
  await setup.anna.sees('/drop is not a valid command.');
});
