import { enterValue } from '../client/elements.ts';
import { type Upload, uploadFile } from '../client/post.ts';
import { resolveElement } from '../client/surface.ts';
import type { ElementRef, Team, User } from '../state/model.ts';
import { currentValue } from '../state/values.ts';
import type { World } from '../state/world.ts';

/** Replaces the text, the date or the time of a field. A time is written as ISO 8601. An empty text clears it. */
export async function fill(world: World, team: Team, user: User, ref: ElementRef, text: string): Promise<void> {
  const { element } = resolveElement(team, user, ref);
  if (element.type === 'datetimepicker')
    return enterValue(world, team, user, ref, text === '' ? null : Math.floor(Date.parse(text) / 1000));
  const isDate = element.type === 'datepicker';
  if (!isDate && element.type !== 'plain_text_input') throw new Error(`nothing is typed into a ${element.type}`);
  if (isDate && text !== '' && !/^\d{4}-\d{2}-\d{2}$/.test(text)) throw new Error(`${text} is not a date`);
  return enterValue(world, team, user, ref, text === '' ? null : text);
}

const attachmentLimit = 10_000_000;

/** Attaches files to a field. Like Slack's client, it enforces the limits on number and size. */
export async function attach(
  world: World,
  team: Team,
  user: User,
  ref: ElementRef,
  uploads: readonly Upload[],
): Promise<void> {
  const { surface, element } = resolveElement(team, user, ref);
  if (element.type !== 'file_input') throw new Error(`nothing is attached to a ${element.type}`);
  const attachedIds = (currentValue(surface.values, ref.blockId, element) ?? []) as string[];
  const max = Number(element.max_files ?? 10);
  if (attachedIds.length + uploads.length > max) throw new Error(`no more than ${max} files can be attached`);
  const files = uploads.map((upload) => uploadFile(world, team, user, upload));
  const large = files.find(({ size }) => size > attachmentLimit);
  if (large) throw new Error(`${large.name} exceeds 10 MB`);
  return enterValue(world, team, user, ref, [...attachedIds, ...files.map(({ id }) => id)]);
}
