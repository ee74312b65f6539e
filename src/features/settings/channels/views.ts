import type { ModalView } from '@slack/types';
import { actions, type Blocks, button, confirmation, line, section } from '../../../slack/blocks.ts';
import { modal } from '../../../slack/views.ts';
import type { InboxChannel } from '../inbox-channels.ts';
import type { Settings } from '../repository.ts';
import { channelPieces, elseText } from '../views.ts';

/** The list of inbox channels, one line each. */
export function channelsView({ inboxChannels }: Pick<Settings, 'inboxChannels'>, notice?: string): ModalView {
  const hasElse = inboxChannels.some(({ everythingElse }) => everythingElse);
  return modal(
    'Inbox channels',
    [
      ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
      section('New files are posted in the channel of their sender.'),
      ...inboxChannels.flatMap(channelBlocks),
      ...(hasElse ? [] : [section(`${elseText(inboxChannels.length > 0)}.`)]),
      actions(button('Add channel', 'settings.channel-add', { style: 'primary' })),
    ],
    { close: 'Back' },
  );
}

function channelBlocks(inboxChannel: InboxChannel): Blocks {
  const { channel, senders, everythingElse } = inboxChannel;
  const source = [...senders, ...(everythingElse ? ['everything else'] : [])][0] ?? '';
  const warning = 'New files of its senders are posted where the other inbox channels say, else sent to an admin.';
  return [
    line(...channelPieces(inboxChannel)),
    actions(
      button('Change', 'settings.channel', { value: channel, accessibilityLabel: `Change channel for ${source}` }),
      button('Remove', 'settings.channel-remove', {
        value: channel,
        style: 'danger',
        accessibilityLabel: `Remove channel for ${source}`,
        confirm: confirmation('Remove inbox channel?', warning, 'Remove'),
      }),
    ),
  ];
}
