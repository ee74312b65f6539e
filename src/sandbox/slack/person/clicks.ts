import { requestClose } from '../client/close.ts';
import { answerConfirmation, enterValue, press } from '../client/elements.ts';
import { submit } from '../client/submit.ts';
import { resolveElement } from '../client/surface.ts';
import type { ElementRef, Json, Team, User } from '../state/model.ts';
import { currentValue } from '../state/values.ts';
import { clientOf, type World } from '../state/world.ts';
import type { Control } from './screen/screen.ts';

export const clickable = ['button', 'menu item', 'choice', 'link', 'submit', 'close', 'confirm', 'deny'] as const;

/** Performs a click on a control. */
export async function click(world: World, team: Team, user: User, control: Control): Promise<void> {
  switch (control.kind) {
    case 'submit':
      return submit(world, team, user);
    case 'close':
      return requestClose(world, team, user, 'top');
    case 'confirm':
    case 'deny':
      return answerConfirmation(world, team, user, control.kind === 'confirm');
    case 'link':
      clientOf(team, user.id).opened.push(control.url ?? '');
      return;
  }
  const { ref, option } = control;
  if (!ref) throw new Error(`"${control.label}" does nothing`);
  if (control.kind === 'choice' && option) await toggle(world, team, user, ref, option);
  else await press(world, team, user, ref, option);
}

/** Toggles a checkbox; a radio button stays selected. */
async function toggle(world: World, team: Team, user: User, ref: ElementRef, option: Json): Promise<void> {
  const { surface, element } = resolveElement(team, user, ref);
  if (element.type === 'radio_buttons') return enterValue(world, team, user, ref, option);
  const selected = (currentValue(surface.values, ref.blockId, element) ?? []) as Json[];
  const without = selected.filter(({ value }) => value !== option.value);
  return enterValue(world, team, user, ref, without.length < selected.length ? without : [...selected, option]);
}
