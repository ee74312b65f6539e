import type { Element } from '../blocks.ts';
import type { Block, Confirmation, ElementRef, Json, Team, User } from '../model.ts';
import { clientOf, type World } from '../world.ts';
import { sendBlockActions } from './block-actions.ts';
import { closeViews } from './leave.ts';
import { type Found, resolve } from './surface.ts';
import { setValue, stateful } from './values.ts';

/** Presses a button or an entry of an overflow menu. If the element has a confirmation dialog, that opens first. */
export async function press(world: World, team: Team, user: User, ref: ElementRef, option?: Json): Promise<void> {
  const client = clientOf(team, user.id);
  const found = resolve(team, user, ref);
  const { element } = found;
  client.notices = [];
  const url = option?.url ?? element.url;
  if (typeof url === 'string') client.opened.push(url);
  const value = option === undefined ? {} : { selected_option: option };
  if (ask(team, user, ref, element, value)) return;
  await sendBlockActions(world, team, user, found, value);
}

/** Enters or selects a value. Outside input blocks, the bot is notified immediately. */
export async function choose(world: World, team: Team, user: User, ref: ElementRef, value: unknown): Promise<void> {
  const found = resolve(team, user, ref);
  const { surface, block, element } = found;
  const kind = stateful[element.type];
  if (!kind) throw new Error(`nothing can be entered into a ${element.type}`);
  clientOf(team, user.id).notices = [];
  const sent = { [kind.field]: value };
  if (sendsAtOnce(block) && ask(team, user, ref, element, sent)) return;
  setValue(surface.values, block.block_id, element, value);
  if (surface.kind === 'view') delete surface.view.errors[block.block_id];
  if (sendsAtOnce(block)) await sendBlockActions(world, team, user, found, sent);
}

function sendsAtOnce(block: Block): boolean {
  return block.type !== 'input' || block.dispatch_action === true;
}

/** Opens the confirmation dialog of an element; returns false if it has none. */
function ask(team: Team, user: User, ref: ElementRef, element: Element, value: Json): boolean {
  const { confirm } = element;
  if (typeof confirm !== 'object' || confirm === null) return false;
  const words = (part: string, otherwise: string) =>
    ((confirm as Json)[part] as { text: string } | undefined)?.text ?? otherwise;
  const confirmation: Confirmation = {
    title: words('title', ''),
    text: words('text', ''),
    confirm: words('confirm', 'Yes'),
    deny: words('deny', 'No'),
    about: { ref, value },
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
  const { about } = confirmation;
  if ('leaving' in about) return closeViews(world, team, user, about.leaving);
  const found = resolve(team, user, about.ref);
  remember(found, about.value);
  await sendBlockActions(world, team, user, found, about.value);
}

function remember({ surface, block, element }: Found, value: Json): void {
  const kind = stateful[element.type];
  if (kind) setValue(surface.values, block.block_id, element, value[kind.field]);
}
