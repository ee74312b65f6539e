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
  const before = (currentValue(surface.values, ref.blockId, element) ?? []) as unknown[];
  if (before.some((one) => isSameValue(one, chosen))) throw new Error(`"${text}" is chosen already`);
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
