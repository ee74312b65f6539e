import type { App } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { plain, section } from '../sandbox/slack/helper.ts';

const confirm = {
  title: plain('Really?'),
  text: plain('It is gone then.'),
  confirm: plain('Do it'),
  deny: plain('Keep it'),
};

/** A message with several interactive elements and kinds of text. */
const blocks = [
  { type: 'header', text: plain('A card') },
  section('*Bold* and <https://example.org|a link> for <@U0>, &lt;b&gt;'),
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: [
          { type: 'rich_text_section', elements: [{ type: 'text', text: '<img src=x>', style: { bold: true } }] },
        ],
      },
    ],
  },
  { type: 'divider' },
  {
    type: 'actions',
    elements: [
      { type: 'button', action_id: 'take', text: plain('Take'), accessibility_label: 'Take the apple' },
      { type: 'button', action_id: 'drop', text: plain('Drop'), style: 'danger', confirm },
      {
        type: 'overflow',
        action_id: 'more',
        options: ['One', 'Two'].map((text) => ({ text: plain(text), value: text })),
      },
    ],
  },
  { type: 'context', elements: [plain('in small print')] },
] as KnownBlock[];

/** A bot that answers commands, clicks, shortcuts and Home, and lists what it received. */
export function listen(received: string[]): (app: App) => void {
  return (app) => {
    app.command('/drop', async ({ ack, respond, command, client }) => {
      await ack();
      if (command.text === 'card')
        await client.chat.postMessage({ channel: command.channel_id, text: 'A card', blocks });
      else await respond({ text: 'Just for you' });
    });
    app.action(/.*/, async ({ ack, action, respond }) => {
      const chosen = 'selected_option' in action ? action.selected_option?.value : undefined;
      received.push(`${'action_id' in action ? action.action_id : ''} ${chosen ?? ''}`.trim());
      await ack();
      await respond({ text: 'Taken', replace_original: true });
    });
    app.shortcut(/.*/, async ({ ack, shortcut }) => {
      received.push(
        `${shortcut.callback_id} ${shortcut.type === 'message_action' ? shortcut.message.text : ''}`.trim(),
      );
      await ack();
    });
    app.event('app_home_opened', async ({ client, event }) => {
      await client.views.publish({ user_id: event.user, view: { type: 'home', blocks: [section('Welcome home')] } });
    });
  };
}
