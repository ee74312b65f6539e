import type { Element } from '../blocks.ts';
import { choose } from '../client/elements.ts';
import { optionsOf, suggest } from '../client/suggestions.ts';
import { canOpen, resolve } from '../client/surface.ts';
import { heldBy, stateful } from '../client/values.ts';
import type { Channel, ElementRef, Json, Team, User } from '../model.ts';
import { channelTitle } from '../screen/draw.ts';
import { textOf } from '../screen/words.ts';
import type { World } from '../world.ts';
import { matchOne } from './find.ts';

/** Selects a value by typing. The options depend on the element, and sometimes on the bot. */
export async function pick(world: World, team: Team, user: User, ref: ElementRef, words: string): Promise<void> {
  const { surface, element } = resolve(team, user, ref);
  const chosen = await offer(world, team, user, ref, element, words);
  if (stateful[element.type]?.many !== true) return choose(world, team, user, ref, chosen);
  const before = (heldBy(surface.values, ref.blockId, element) ?? []) as unknown[];
  if (before.some((one) => same(one, chosen))) throw new Error(`"${words}" is chosen already`);
  const most = element.max_selected_items;
  if (typeof most === 'number' && before.length >= most) throw new Error(`no more than ${most} can be chosen`);
  return choose(world, team, user, ref, [...before, chosen]);
}

/** Removes a selected value. */
export async function unpick(world: World, team: Team, user: User, ref: ElementRef, words: string): Promise<void> {
  const { surface, element } = resolve(team, user, ref);
  const value = heldBy(surface.values, ref.blockId, element);
  const many = Array.isArray(value);
  const held: unknown[] = many ? value : value === null || value === undefined ? [] : [value];
  const gone = matchOne(held, (one) => nameOf(team, user, one), words);
  return choose(world, team, user, ref, many ? held.filter((one) => one !== gone) : null);
}

function same(one: unknown, other: unknown): boolean {
  const key = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Json).value : value);
  return key(one) === key(other);
}

async function offer(
  world: World,
  team: Team,
  user: User,
  ref: ElementRef,
  element: Element,
  words: string,
): Promise<unknown> {
  switch (element.type) {
    case 'datepicker':
      return matching(words, /^\d{4}-\d{2}-\d{2}$/, 'a date (2026-03-01)');
    case 'timepicker':
      return matching(words, /^\d{2}:\d{2}$/, 'a time (13:30)');
    case 'datetimepicker':
      return Date.parse(`${matching(words, /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/, 'a date and time')}Z`) / 1000;
    default:
      return matchOne(await offered(world, team, user, ref, words), (thing) => nameOf(team, user, thing), words);
  }
}

/** All that an element offers for the typed text: options, or the ids of people and conversations. */
export async function offered(
  world: World,
  team: Team,
  user: User,
  ref: ElementRef,
  words: string,
): Promise<readonly unknown[]> {
  const { element } = resolve(team, user, ref);
  switch (element.type.replace(/^multi_/, '')) {
    case 'external_select':
      return typeAhead(world, team, user, ref, element, words);
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

function matching(words: string, pattern: RegExp, what: string): string {
  if (!pattern.test(words)) throw new Error(`"${words}" is not ${what}`);
  return words;
}

async function typeAhead(
  world: World,
  team: Team,
  user: User,
  ref: ElementRef,
  { min_query_length: least = 3 }: Element,
  words: string,
): Promise<Json[]> {
  if (words.length < Number(least)) throw new Error(`nothing is offered before ${least} characters are typed`);
  return suggest(world, team, user, ref, words);
}

/** The label of an option, person, conversation or file. */
export function nameOf(team: Team, user: User, thing: unknown): string {
  if (typeof thing === 'object' && thing !== null) return textOf(team, (thing as Json).text);
  const id = String(thing);
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
