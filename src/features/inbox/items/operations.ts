import { connectionOf } from '../../common/connection.ts';
import type { Actor, InboxItem, Services } from '../../common/services.ts';
import { channelFor, type InboxChannel } from '../../settings/inbox-channels.ts';
import type { Settings } from '../../settings/repository.ts';
import { fileGone } from './errors.ts';
import { itemsIn } from './repository.ts';

/** The items of the account that the workspace has connected. */
export async function itemsOf(services: Services, workspace: string) {
  return itemsIn(services.store, workspace, (await connectionOf(services, workspace)).exchange.account);
}

/** Finds an item by its id, only among the items of this workspace. */
export async function findItem(services: Services, { workspace }: Actor, id: string): Promise<InboxItem> {
  const item = await (await itemsOf(services, workspace)).findById(id);
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
