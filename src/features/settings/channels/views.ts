import type { ModalView } from '@slack/types';
import { bounds } from '../../../lib/bounds.ts';
import {
  actions,
  type Blocks,
  button,
  confirmation,
  line,
  moment,
  type Piece,
  section,
} from '../../../slack/blocks.ts';
import { truncateText } from '../../../slack/limits.ts';
import { modal } from '../../../slack/views.ts';
import { andList } from '../../../slack/words.ts';
import { channelFor, type InboxChannel } from '../inbox-channels.ts';
import type { Settings } from '../repository.ts';
import { changeBlocks, channelPieces, elseText } from '../views.ts';
import { guestsText } from './notify.ts';
import type { ShownResult } from './operations.ts';
import type { ChannelProblem } from './repository.ts';

/** The list of inbox channels, one line each. */
export function channelsView(
  { inboxChannels, changed }: Pick<Settings, 'inboxChannels' | 'changed'>,
  results: ReadonlyMap<string, ShownResult>,
  notice?: string,
): ModalView {
  const hasElse = inboxChannels.some(({ everythingElse }) => everythingElse);
  /** Whether files of a private channel's senders could be posted in a public one if it was removed. */
  const isPublicAfter = (removed: InboxChannel) => {
    const left = { inboxChannels: inboxChannels.filter((one) => one !== removed) };
    const next = removed.senders.flatMap((sender) => channelFor(left, sender)?.channel ?? []);
    const isPublic = (channel: string) => results.get(channel)?.isPrivate !== true;
    return results.get(removed.channel)?.isPrivate !== false && next.some(isPublic);
  };
  return modal(
    'Inbox channels',
    [
      ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
      section(
        "New files are posted in the channel of their sender. If it's private, only its members see them. Other admins see only names and senders, in the audit log.",
      ),
      ...changeBlocks(changed.inboxChannels, 'inbox channels'),
      ...inboxChannels.flatMap((one) => channelBlocks(one, isPublicAfter(one), results.get(one.channel))),
      ...(hasElse ? [] : [section(`${elseText(inboxChannels.length > 0)}.`)]),
      actions(button('Add channel', 'settings.channel-add', { style: 'primary' }), button('Move files…', 'inbox.move')),
    ],
    { close: 'Back' },
  );
}

function channelBlocks(inboxChannel: InboxChannel, isPublicAfter: boolean, result: ShownResult = {}): Blocks {
  const { channel, senders, everythingElse } = inboxChannel;
  const sources = [...senders, ...(everythingElse ? ['everything else'] : [])];
  const source = sources[0] ?? '';
  const change = `It gets ${truncateText(andList(sources, 3), 120)}. Their next files go to the other inbox channels, or else an admin is notified.`;
  const warning = isPublicAfter ? ' ⚠️ Some go to a public channel, where everyone who can download sees them.' : '';
  return [
    line(...channelPieces(inboxChannel), ...resultPieces(result)),
    actions(
      button('Change', 'settings.channel', { value: channel, accessibilityLabel: `Change channel for ${source}` }),
      button('Remove', 'settings.channel-remove', {
        value: channel,
        style: 'danger',
        accessibilityLabel: `Remove channel for ${source}`,
        confirm: confirmation('Remove inbox channel?', `${change}${warning}`, 'Remove'),
      }),
    ),
  ];
}

const privateText = '🔒 Private: only its members see its files.';
const publicText = 'Public: everyone who can download sees its files.';

const problemTexts: Record<ChannelProblem, string> = {
  gone: "It was deleted, or it's private and I'm not in it: type /invite @dropline there, or choose another channel.",
  archived: "It's archived, so nothing is posted. Unarchive it, or choose another channel.",
  shared: "It's shared with another organisation, so nothing is posted. Stop sharing it, or choose another channel.",
  'not-member': "I'm not in it. Type /invite @dropline there.",
  public: 'It became public, so everyone in the workspace can see its posts. Make it private, or save it to keep it.',
};

/** What is wrong with a channel and how to fix it, or who sees its files; and whether it has guests. */
function resultPieces({ at, problem, guests, isPrivate }: ShownResult): Piece[] {
  const readers = isPrivate === undefined ? [] : [`\n${isPrivate ? privateText : publicText}`];
  const problemText = problem === undefined ? readers : [`\n⚠️ ${problemTexts[problem]}`];
  if (at === undefined) return problemText;
  const guestText =
    guests === undefined
      ? `⚠️ It may have guests: it has more than ${bounds.channelMembersChecked} members.`
      : `⚠️ It ${guestsText(guests)}.`;
  return [...problemText, `\n${guests === 0 ? 'No guests.' : guestText} Checked `, moment(new Date(at)), '.'];
}
