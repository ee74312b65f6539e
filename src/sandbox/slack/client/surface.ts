import { type Element, findElement } from '../state/blocks.ts';
import type { Block, Channel, ElementRef, Message, Team, User, Values, View } from '../state/model.ts';
import { initialValues } from '../state/values.ts';
import { clientOf } from '../state/world.ts';

/** The message or view of an element, and the values of its fields. */
export type Surface =
  | { kind: 'message'; channel: Channel; message: Message; values: Values }
  | { kind: 'view'; view: View; values: Values };

export interface ResolvedElement {
  surface: Surface;
  block: Block;
  element: Element;
}

/** Finds the element. Throws if this person can't see it: Slack accepts actions only on elements that it shows. */
export function resolveElement(team: Team, user: User, ref: ElementRef): ResolvedElement {
  const surface =
    ref.surface.kind === 'message' ? messageSurface(team, user, ref.surface) : viewSurface(team, user, ref);
  const blocks = surface.kind === 'message' ? (surface.message.blocks ?? []) : surface.view.body.blocks;
  const located = findElement(blocks, ref.blockId, ref.actionId);
  if (!located) throw new Error('that element is no longer there');
  return { surface, ...located };
}

function viewSurface(team: Team, user: User, ref: ElementRef): Surface {
  const view = ref.surface.kind === 'view' ? team.views.get(ref.surface.viewId) : undefined;
  if (view?.userId !== user.id) throw new Error('that view is not open');
  return { kind: 'view', view, values: view.values };
}

function messageSurface(team: Team, user: User, { channelId, ts }: { channelId: string; ts: string }): Surface {
  const channel = team.channels.get(channelId);
  const message = channel?.messages.find((candidate) => candidate.ts === ts);
  if (!channel || !message || !canRead(channel, message, user)) throw new Error('that message is not there');
  // People who view a channel without joining can't use its elements.
  if (!channel.members.has(user.id)) throw new Error(`${user.name} is not a member of #${channel.name}`);
  const all = clientOf(team, user.id).messageValues;
  const values = all[ts] ?? initialValues(message.blocks ?? []);
  all[ts] = values;
  return { kind: 'message', channel, message, values };
}

/** Everyone can view public channels without joining, except guests and people of other organisations. */
export function canOpen(channel: Channel, user: User): boolean {
  if (channel.members.has(user.id)) return true;
  return channel.kind === 'public' && user.role !== 'stranger' && user.role !== 'guest';
}

export function canRead(channel: Channel, message: Message, user: User): boolean {
  if (message.ephemeralTo !== undefined) return message.ephemeralTo === user.id;
  return channel.kind === 'public' || channel.members.has(user.id);
}
