import { connectionOf } from '../../common/connection.ts';
import type { Actor, InboxItem, Services } from '../../common/services.ts';
import { channelFor, type InboxChannel } from '../../settings/inbox-channels.ts';
import type { Settings } from '../../settings/repository.ts';
import { fileGone } from './errors.ts';
import { itemsIn } from './repository.ts';

/** Finds an item by its id, only among the items of this workspace. */
export async function findItem(services: Services, { workspace }: Actor, id: string): Promise<InboxItem> {
  const { exchange } = await connectionOf(services, workspace);
  const item = await itemsIn(services.store, workspace, exchange.account).findById(id);
  if (item === undefined) throw fileGone();
  return item;
}

/**
 * The inbox channel of an item: the one with its post or, without a post, the one for its sender. Undefined if the
 * post is elsewhere, for example in the thread of a request.
 *
 * @param postedIn the channel, if the post isn't recorded yet
 */
export function channelOf(
  settings: Pick<Settings, 'inboxChannels'>,
  { post, sender }: InboxItem,
  postedIn = post?.channel,
): InboxChannel | undefined {
  if (postedIn === undefined) return channelFor(settings, sender);
  return settings.inboxChannels.find(({ channel }) => channel === postedIn);
}
