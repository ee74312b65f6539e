import { enterValue } from '../client/elements.ts';
import { nameOf } from '../client/names.ts';
import { availableOptions } from '../client/options.ts';
import { resolveElement } from '../client/surface.ts';
import type { ElementRef, Json, Team, User } from '../state/model.ts';
import { currentValue, statefulElements } from '../state/values.ts';
import type { World } from '../state/world.ts';
import { matchOne } from './find.ts';

/** Selects a value by typing. The options depend on the element, and sometimes on the bot. */
export async function pick(world: World, team: Team, user: User, ref: ElementRef, text: string): Promise<void> {
  const { surface, element } = resolveElement(team, user, ref);
  const options = await availableOptions(world, team, user, ref, text);
  const chosen = matchOne(options, (item) => nameOf(team, user, item), text);
  if (statefulElements[element.type]?.multiple !== true) return enterValue(world, team, user, ref, chosen);
  const current = (currentValue(surface.values, ref.blockId, element) ?? []) as unknown[];
  if (current.some((item) => isSameValue(item, chosen))) throw new Error(`"${text}" is chosen already`);
  return enterValue(world, team, user, ref, [...current, chosen]);
}

/** Removes a selected value. */
export async function unpick(world: World, team: Team, user: User, ref: ElementRef, text: string): Promise<void> {
  const { surface, element } = resolveElement(team, user, ref);
  const value = currentValue(surface.values, ref.blockId, element);
  const multiple = Array.isArray(value);
  const selected: unknown[] = multiple ? value : value === null || value === undefined ? [] : [value];
  const removed = matchOne(selected, (item) => nameOf(team, user, item), text);
  return enterValue(world, team, user, ref, multiple ? selected.filter((item) => item !== removed) : null);
}

function isSameValue(item: unknown, other: unknown): boolean {
  const key = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Json).value : value);
  return key(item) === key(other);
}
