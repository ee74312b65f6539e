import type { ModalView } from '@slack/types';
import { isSharedOutside } from '../../../slack/channels.ts';
import type { Interaction } from '../../../slack/interaction.ts';
import { platformErrorOf } from '../../../slack/platform-errors.ts';
import type { FormAnswer } from '../../../slack/routes.ts';
import { oneLine } from '../../../slack/words.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { botNotInChannel, channelArchived, channelPublic, channelSharedOutside } from '../errors.ts';

/** The answer that closes a saved form; its `after` updates the modal below. Without one below, shows `instead`. */
export function closingAnswer({ view }: Interaction, instead: ModalView, done: string): FormAnswer {
  const isOnTop = view !== undefined && view.root_view_id !== view.id;
  // A form that was opened from Home or a message has no modal below.
  return isOnTop ? { done, after: '' } : { view: instead, done, after: '' };
}

/** Updates the modal below the closed one. If there is another one below that, it shows the `overview`. */
export async function updateModalsBelow(
  { client, view, stamped }: Interaction,
  below: ModalView,
  overview?: ModalView,
): Promise<void> {
  const { id, previous_view_id: previous, root_view_id: root } = view ?? {};
  if (typeof previous === 'string') await client.views.update({ view_id: previous, view: stamped(below) });
  const hasOther = typeof root === 'string' && root !== id && root !== previous;
  if (hasOther && overview !== undefined) await client.views.update({ view_id: root, view: stamped(overview) });
}

/**
 * Throws if the bot can't post in the channel, or if other organisations can see it: files are confidential.
 *
 * @param mustBePrivate whether its members get a right, which everyone who can join would have
 */
export async function expectOwnChannel(
  { slack }: Pick<SlackServices, 'slack'>,
  workspace: string,
  channel: string,
  field: string,
  mustBePrivate = false,
): Promise<void> {
  const client = await slack.clientOf(workspace);
  const response = await client.conversations.info({ channel }).catch((error: unknown) => {
    if (platformErrorOf(error) === 'channel_not_found') return undefined;
    throw error;
  });
  const name = response?.channel?.name;
  const shownName = name === undefined ? undefined : `#${oneLine(name)}`;
  if (isSharedOutside(response?.channel)) throw channelSharedOutside(field, shownName);
  if (response?.channel?.is_archived === true) throw channelArchived(field, shownName);
  if (response?.channel?.is_member !== true) throw botNotInChannel(field, shownName);
  if (mustBePrivate && !response.channel.is_private) throw channelPublic(field, shownName);
}
