import type { WebClient } from '@slack/web-api';

/** Whether the channel is shared with another organisation, or an invitation to one is pending. */
export function isSharedOutside(channel: { is_ext_shared?: boolean; is_pending_ext_shared?: boolean } = {}): boolean {
  return channel.is_ext_shared === true || channel.is_pending_ext_shared === true;
}

/** Whether the bot shares a private channel with the person, besides this one. True if it has more than a page. */
export async function sharesPrivateChannel(client: WebClient, person: string, besides: string): Promise<boolean> {
  const filter = { user: person, types: 'private_channel', exclude_archived: true, limit: 200 };
  const { channels = [], response_metadata: next } = await client.users.conversations(filter);
  return Boolean(next?.next_cursor) || channels.some((one) => one.id !== besides && !isSharedOutside(one));
}
