import type { ModalView } from '@slack/types';
import { actions, type Blocks, button, line, section } from '../../../slack/blocks.ts';
import { modal } from '../../../slack/views.ts';
import { andList } from '../../../slack/words.ts';
import { digestText, inboxChannels } from '../fields.ts';
import type { Settings } from '../repository.ts';
import { digestOf } from './operations.ts';

type Channels = Pick<Settings, 'inboxChannel' | 'routes' | 'digests'>;

/** Every channel in which new files are posted, and whether it gets digests. */
export function digestsView(settings: Channels, notice?: string): ModalView {
  const channels = [...new Set(inboxChannels(settings))];
  const blocks = [
    ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
    section(
      'A channel gets a post for each item, or a digest with everything that arrived. Replies to file requests never wait for a digest.',
    ),
    ...(channels.length === 0 ? [section('No channel for incoming files yet. Choose one in the settings first.')] : []),
    ...channels.flatMap((channel) => channelBlocks(settings, channel)),
  ];
  return modal('Digests', blocks, { close: 'Back' });
}

function channelBlocks(settings: Channels, channel: string): Blocks {
  const source = sourceOf(settings, channel);
  const text = digestText(digestOf(settings, channel));
  return [
    line({ channel }, ` (${source}): ${text}`),
    actions(button('Change', 'settings.digest', { value: channel, accessibilityLabel: `Change digest for ${source}` })),
  ];
}

/** Whose files are posted in the channel. */
function sourceOf({ inboxChannel, routes }: Channels, channel: string): string {
  const senders = routes.filter((route) => route.channel === channel).map(({ from }) => from);
  const inbox = channel === inboxChannel ? ['incoming files'] : [];
  return andList([...inbox, ...senders], 3);
}
