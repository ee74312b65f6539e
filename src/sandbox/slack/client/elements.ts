import type { Element } from '../state/blocks.ts';
import type { Block, Confirmation, ElementRef, Json, Team, User } from '../state/model.ts';
import { setValue, statefulElements } from '../state/values.ts';
import { clientOf, type World } from '../state/world.ts';
import { sendBlockActions } from './block-actions.ts';
import { closeViews } from './close.ts';
import { type ResolvedElement, resolveElement } from './surface.ts';

/**
 * Presses a button or an overflow menu entry. A link opens at once. If the element has a confirmation dialog, the bot
 * is notified only after the person has confirmed.
 */
export async function press(world: World, team: Team, user: User, ref: ElementRef, option?: Json): Promise<void> {
  const client = clientOf(team, user.id);
  const resolved = resolveElement(team, user, ref);
  const { element } = resolved;
  client.notices = [];
  const url = option?.url ?? element.url;
  if (typeof url === 'string') client.opened.push(url);
  const value = option === undefined ? {} : { selected_option: option };
  if (openConfirmation(team, user, ref, element, value)) return;
  await sendBlockActions(world, team, user, resolved, value);
}

/**
 * Enters or selects a value. Outside input blocks, and inside those with `dispatch_action`, the bot is notified
 * immediately, or after the confirmation if the element has a dialog for it.
 */
export async function enterValue(world: World, team: Team, user: User, ref: ElementRef, value: unknown): Promise<void> {
  const resolved = resolveElement(team, user, ref);
  const { surface, block, element } = resolved;
  const kind = statefulElements[element.type];
  if (!kind) throw new Error(`nothing can be entered into a ${element.type}`);
  clientOf(team, user.id).notices = [];
  const sent = { [kind.field]: value };
  if (sendsImmediately(block) && openConfirmation(team, user, ref, element, sent)) return;
  setValue(surface.values, block.block_id, element, value);
  if (surface.kind === 'view') delete surface.view.errors[block.block_id];
  if (sendsImmediately(block)) await sendBlockActions(world, team, user, resolved, sent);
}

function sendsImmediately(block: Block): boolean {
  return block.type !== 'input' || block.dispatch_action === true;
}

/** Opens the confirmation dialog of an element; returns false if it has none. */
function openConfirmation(team: Team, user: User, ref: ElementRef, element: Element, value: Json): boolean {
  const { confirm } = element;
  if (typeof confirm !== 'object' || confirm === null) return false;
  const textOf = (part: string, fallback: string) =>
    ((confirm as Json)[part] as { text: string } | undefined)?.text ?? fallback;
  const confirmation: Confirmation = {
    title: textOf('title', ''),
    text: textOf('text', ''),
    confirm: textOf('confirm', 'Yes'),
    deny: textOf('deny', 'No'),
    action: { ref, value },
  };
  clientOf(team, user.id).confirmation = confirmation;
  return true;
}

export async function answerConfirmation(world: World, team: Team, user: User, yes: boolean): Promise<void> {
  const client = clientOf(team, user.id);
  const { confirmation } = client;
  if (!confirmation) throw new Error('nothing is being asked');
  client.confirmation = undefined;
  if (!yes) return;
  const { action } = confirmation;
  if ('closing' in action) return closeViews(world, team, user, action.closing);
  const resolved = resolveElement(team, user, action.ref);
  storeValue(resolved, action.value);
  await sendBlockActions(world, team, user, resolved, action.value);
}

function storeValue({ surface, block, element }: ResolvedElement, value: Json): void {
  const kind = statefulElements[element.type];
  if (kind) setValue(surface.values, block.block_id, element, value[kind.field]);
}
