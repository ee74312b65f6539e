import { line } from '../../../slack/blocks.ts';
import { contentOf, post } from '../../../slack/messages.ts';
import { count } from '../../../slack/words.ts';
import type { Actor } from '../../common/services.ts';
import type { SlackAccess } from '../../common/slack-services.ts';

/** Tells the admin who saved an inbox channel that it has guests. */
export async function notifyOfChannelGuests(
  slack: SlackAccess,
  { workspace, person }: Actor,
  channel: string,
  guests: number,
): Promise<void> {
  if ((await slack.botOf(workspace)) === undefined) return;
  const predicate = ` ${guestsText(guests)}. Remove them from the channel, or choose another one in /drop settings.`;
  const content = contentOf(`An inbox channel${predicate}`, [line('⚠️ ', { channel }, predicate)]);
  await post(await slack.clientOf(workspace), person, content);
}

export const guestsText = (guests: number): string =>
  `has ${count(guests, 'guest')}, who will see senders and file names`;
