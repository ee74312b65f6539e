import { isDirect } from '../../../lib/conversations.ts';
import type { Desk } from '../../../store/index.ts';
import { deskOf } from '../../common/connection.ts';
import { isItemId } from '../../common/ids.ts';
import type { Actor, InboxItem, PostLocation, Services } from '../../common/services.ts';
import type { InboxChannel } from '../../settings/inbox-channels.ts';
import { type Access, adminsOnly } from '../../settings/permission.ts';
import type { Settings } from '../../settings/repository.ts';
import { expectSeen } from './permission.ts';
import { itemsIn } from './repository.ts';

export async function itemsOf(services: Services, desk: Desk) {
  const { workspace, account } = await deskOf(services, desk);
  return itemsIn(services.store, workspace, account);
}

/** Finds an item by its id, only among the items of this workspace that the person sees. */
export async function findItem(services: Services, actor: Actor, access: Access, id: string): Promise<InboxItem> {
  const items = await itemsOf(services, actor);
  const item = isItemId(id) ? await items.findById(id) : undefined;
  return expectSeen(services, actor.workspace, access, item);
}

/** The inbox channel of an item; undefined if it belongs to people, or to a channel that is no inbox channel now. */
export const channelOf = (
  { inboxChannels }: Pick<Settings, 'inboxChannels'>,
  { belongsTo }: Pick<InboxItem, 'belongsTo'>,
): InboxChannel | undefined => inboxChannels.find(({ channel }) => belongsTo.includes(channel));

/** Whether a message in this conversation shows the item to those it belongs to: in its channel, or to one person. */
export const isPostedIn = ({ belongsTo }: InboxItem, conversation: string): boolean =>
  isDirect(conversation) || belongsTo.includes(conversation);

/** Whether the post is where the item belongs now. An admin can have moved the item since it was posted. */
export function isShownBy({ channel, requesters = [adminsOnly] }: PostLocation, { belongsTo }: InboxItem): boolean {
  const here = isDirect(channel) ? requesters : [channel];
  return belongsTo.some((owner) => here.includes(owner));
}
