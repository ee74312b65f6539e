import { enterValue } from '../client/elements.ts';
import { textOf } from '../client/markup.ts';
import { optionsOf, suggest } from '../client/suggestions.ts';
import { canOpen, resolveElement } from '../client/surface.ts';
import type { Element } from '../state/blocks.ts';
import type { Channel, ElementRef, Json, Team, User } from '../state/model.ts';
import { currentValue, statefulElements } from '../state/values.ts';
import type { World } from '../state/world.ts';
import { matchOne } from './find.ts';
import { channelTitle } from './screen/draw.ts';

/** Selects a value by typing. The options depend on the element, and sometimes on the bot. */
export async function pick(world: World, team: Team, user: User, ref: ElementRef, text: string): Promise<void> {
  const { surface, element } = resolveElement(team, user, ref);
  const chosen = await findOption(world, team, user, ref, element, text);
  if (statefulElements[element.type]?.multiple !== true) return enterValue(world, team, user, ref, chosen);
  const before = (currentValue(surface.values, ref.blockId, element) ?? []) as unknown[];
  if (before.some((one) => isSameValue(one, chosen))) throw new Error(`"${text}" is chosen already`);
  const max = element.max_selected_items;
  if (typeof max === 'number' && before.length >= max) throw new Error(`no more than ${max} can be chosen`);
  return enterValue(world, team, user, ref, [...before, chosen]);
}

/** Removes a selected value. */
export async function unpick(world: World, team: Team, user: User, ref: ElementRef, text: string): Promise<void> {
  const { surface, element } = resolveElement(team, user, ref);
  const value = currentValue(surface.values, ref.blockId, element);
  const multiple = Array.isArray(value);
  const selected: unknown[] = multiple ? value : value === null || value === undefined ? [] : [value];
  const removed = matchOne(selected, (one) => nameOf(team, user, one), text);
  return enterValue(world, team, user, ref, multiple ? selected.filter((one) => one !== removed) : null);
}

function isSameValue(one: unknown, other: unknown): boolean {
  const key = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Json).value : value);
  return key(one) === key(other);
}

async function findOption(
  world: World,
  team: Team,
  user: User,
  ref: ElementRef,
  element: Element,
  text: string,
): Promise<unknown> {
  switch (element.type) {
    case 'datepicker':
      return requireFormat(text, /^\d{4}-\d{2}-\d{2}$/, 'a date (2026-03-01)');
    case 'timepicker':
      return requireFormat(text, /^\d{2}:\d{2}$/, 'a time (13:30)');
    case 'datetimepicker':
      return Date.parse(`${requireFormat(text, /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/, 'a date and time')}Z`) / 1000;
    default:
      return matchOne(await availableOptions(world, team, user, ref, text), (item) => nameOf(team, user, item), text);
  }
}

/** The values that an element offers for the typed text: options, or the ids of people and conversations. */
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
    case 'channels_select':
      return publicChannels(team, user).map(({ id }) => id);
    default:
      throw new Error(`nothing is picked from a ${element.type}`);
  }
}

function requireFormat(text: string, pattern: RegExp, description: string): string {
  if (!pattern.test(text)) throw new Error(`"${text}" is not ${description}`);
  return text;
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

/** The label of an option, person, conversation or file. */
export function nameOf(team: Team, user: User, item: unknown): string {
  if (typeof item === 'object' && item !== null) return textOf(team, (item as Json).text);
  const id = String(item);
  const channel = team.channels.get(id);
  return channel ? channelTitle(team, channel, user) : (team.users.get(id)?.name ?? team.files.get(id)?.name ?? id);
}

function publicChannels(team: Team, user: User): Channel[] {
  return [...team.channels.values()].filter(
    (channel) => channel.kind === 'public' && !channel.archived && canOpen(channel, user),
  );
}

/** This person's conversations that match the element's filter. */
function conversationsFor(team: Team, user: User, { filter }: Element): Channel[] {
  const { include, exclude_external_shared_channels: noShared, exclude_bot_users: noBots } = (filter ?? {}) as Json;
  const isBot = (id: string) => team.users.get(id)?.botId !== undefined;
  return [...team.channels.values()]
    .filter((channel) => !channel.archived && canOpen(channel, user))
    .filter(({ kind }) => !Array.isArray(include) || include.includes(kind))
    .filter(({ shared }) => noShared !== true || !shared)
    .filter(({ kind, members }) => noBots !== true || kind !== 'im' || ![...members].some(isBot));
}
