import { DroplineError } from '../../errors.ts';
import { isSharedOutside } from '../../slack/channels.ts';
import { platformErrorOf } from '../../slack/platform-errors.ts';
import type { SlackServices } from './ui-services.ts';

/** Throws if the bot can't post in the channel, or if other organisations can see it: files are confidential. */
export async function expectOwnChannel(
  { slack }: Pick<SlackServices, 'slack'>,
  workspace: string,
  channel: string,
  field: string,
): Promise<void> {
  const refuse = (message: string) => new DroplineError('invalid', message, { field });
  const client = await slack.clientOf(workspace);
  const found = await client.conversations.info({ channel }).catch((error: unknown) => {
    if (platformErrorOf(error) === 'channel_not_found') return undefined;
    throw error;
  });
  if (isSharedOutside(found?.channel))
    throw refuse('This channel is shared with another organisation. Choose another one.');
  if (found?.channel?.is_archived === true) throw refuse('This channel is archived. Choose another one.');
  if (found?.channel?.is_member !== true)
    throw refuse("I'm not in this channel. Type /invite @dropline there, then try again.");
}
