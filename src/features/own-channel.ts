import { ErrorCode, type WebAPIPlatformError } from '@slack/web-api';
import { DroplineError } from '../errors.ts';
import type { SlackServices } from './ui-services.ts';

/** News of confidential files may stand in no channel that other organisations see, and the bot must be able to post there. */
export async function expectOwnChannel(
  { slack }: Pick<SlackServices, 'slack'>,
  workspace: string,
  channel: string,
  field: string,
): Promise<void> {
  const refuse = (sentence: string) => new DroplineError('invalid', sentence, { field });
  const client = await slack.clientOf(workspace);
  const found = await client.conversations.info({ channel }).catch((error: WebAPIPlatformError) => {
    if (error.code === ErrorCode.PlatformError && error.data.error === 'channel_not_found') return undefined;
    throw error;
  });
  const { is_ext_shared: isShared, is_archived: isArchived, is_member: isMember } = found?.channel ?? {};
  if (isShared === true) throw refuse('People of other organisations are in this channel: choose another.');
  if (isArchived === true) throw refuse('This channel is archived: choose another.');
  if (isMember !== true) throw refuse('I am not in this channel. Type /invite @dropline there, then try again.');
}
