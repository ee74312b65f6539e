import { enterValue } from '../client/elements.ts';
import { type Upload, uploadFile } from '../client/post.ts';
import { resolveElement } from '../client/surface.ts';
import type { ElementRef, Json, Team, User } from '../state/model.ts';
import { currentValue } from '../state/values.ts';
import type { World } from '../state/world.ts';

const textElements = ['plain_text_input', 'email_text_input', 'url_text_input', 'number_input', 'rich_text_input'];

/** Replaces the text of a field. */
export async function fill(world: World, team: Team, user: User, ref: ElementRef, text: string): Promise<void> {
  const { element } = resolveElement(team, user, ref);
  if (!textElements.includes(element.type)) throw new Error(`nothing is typed into a ${element.type}`);
  const value = element.type === 'rich_text_input' ? richText(text) : text;
  return enterValue(world, team, user, ref, text === '' ? null : value);
}

function richText(text: string): Json {
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return { type: 'rich_text', elements: [section] };
}

const attachmentLimit = 10 * 1024 * 1024;

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
  const before = (currentValue(surface.values, ref.blockId, element) ?? []) as string[];
  const max = Number(element.max_files ?? 10);
  if (before.length + uploads.length > max) throw new Error(`no more than ${max} files can be attached`);
  const files = uploads.map((upload) => uploadFile(world, team, user, upload));
  const large = files.find(({ size }) => size > attachmentLimit);
  if (large) throw new Error(`${large.name} is larger than 10 MB`);
  return enterValue(world, team, user, ref, [...before, ...files.map(({ id }) => id)]);
}
