import type { Element } from '../state/blocks.ts';
import type { Channel, ElementRef, Json, Team, User } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { optionsOf, suggest } from './suggestions.ts';
import { canOpen, resolveElement } from './surface.ts';

/**
 * The values that an element offers: options, or the ids of people and conversations. Only an external select uses the
 * typed text.
 */
export async function availableOptions(
  world: World,
  team: Team,
  user: User,
  ref: ElementRef,
  text: string,
): Promise<readonly unknown[]> {
  const { element } = resolveElement(team, user, ref);
  switch (element.type.replace(/^multi_/, '')) {
    case 'external_select':
      return externalOptions(world, team, user, ref, element, text);
    case 'static_select':
    case 'radio_buttons':
    case 'checkboxes':
      return optionsOf(element);
    case 'users_select':
      return [...team.users.values()].filter(({ deactivated }) => !deactivated).map(({ id }) => id);
    case 'conversations_select':
      return conversationsFor(team, user, element).map(({ id }) => id);
    default:
      throw new Error(`nothing is picked from a ${element.type}`);
  }
}

async function externalOptions(
  world: World,
  team: Team,
  user: User,
  ref: ElementRef,
  { min_query_length: min = 3 }: Element,
  text: string,
): Promise<Json[]> {
  if (text.length < Number(min)) throw new Error(`nothing is offered before ${min} characters are typed`);
  return suggest(world, team, user, ref, text);
}

/** The conversations that this person can open and that match the element's filter, without archived ones. */
function conversationsFor(team: Team, user: User, { filter }: Element): Channel[] {
  const { include, exclude_external_shared_channels: noShared, exclude_bot_users: noBots } = (filter ?? {}) as Json;
  const isBot = (id: string) => team.users.get(id)?.botId !== undefined;
  return [...team.channels.values()]
    .filter((channel) => !channel.archived && canOpen(channel, user))
    .filter(({ kind }) => !Array.isArray(include) || include.includes(kind))
    .filter(({ shared }) => noShared !== true || !shared)
    .filter(({ kind, members }) => noBots !== true || kind !== 'im' || ![...members].some(isBot));
}
