import { expect, test } from 'vitest';
import { commonBlocks, inputBlock } from './check/examples.ts';
import { clientFor, plain, setUpWorkspace } from './helper.ts';
import { ok, startPlainBot } from './plain-bot.ts';

/** The text expected for some blocks. For other blocks, any word is enough. */
const expectedTexts: Record<string, string> = {
  divider: '---',
  section: 'words',
  rich_text: '@U012ABC#C012ABCwords',
};

test.each(Object.entries(commonBlocks))('the screen shows the block %s', async (name, block) => {
  const { slack, token, acme, anna } = await setUpWorkspace({ behaviour: { timeoutMs: 50 } });
  await clientFor(slack, token).chat.postMessage({
    channel: acme.channel('general').id,
    text: 'fallback',
    blocks: [block] as never,
  });
  await anna.opens('#general');
  await anna.sees(expectedTexts[name] ?? /\nDropline:\n.*\w/s);
  await anna.doesNotSee(`(${name})`);
});

test('an input block, which only forms can have, is shown in a form', async () => {
  const setup = await setUpWorkspace();
  await startPlainBot(setup, ok);
  await setup.anna.types('/drop', { in: '#general' });
  const trigger = String(setup.slack.deliveries[0]?.payload.trigger_id);
  const blocks = [{ ...inputBlock, label: plain('Name'), hint: plain('Your own') }];
  const view = { type: 'modal', title: plain('T'), submit: plain('Go'), blocks };
  await clientFor(setup.slack, setup.token).views.open({ trigger_id: trigger, view: view as never });
  await setup.anna.sees('Name (optional): words Your own [Cancel] [Go]');
});

test('the screen renders markup in mrkdwn and shows it as is in plain text', async () => {
  const { slack, token, acme, anna, bo } = await setUpWorkspace();
  const channel = acme.channel('general').id;
  const markup = `*bold* _it_ ~no~ \`*code*\` a*b*c 2 * 3 * 4 <!here> <@${bo.id}> <mailto:a@b.example|a@b.example> &amp;lt;`;
  await clientFor(slack, token).chat.postMessage({
    channel,
    text: 'x',
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: markup } },
      { type: 'section', text: { type: 'plain_text', text: '<!channel> *x* &amp;' } },
    ],
  });
  await anna.opens('#general');
  expect(anna.screen().split('\n').slice(2)).toEqual([
    'bold it no *code* a*b*c 2 * 3 * 4 @here @Bo a@b.example &lt;',
    '<!channel> *x* &amp;',
  ]);
});
