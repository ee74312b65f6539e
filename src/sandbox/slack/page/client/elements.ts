import { choiceGroup } from './choice-group.ts';
import { type Content, h, type VNode } from './dom.ts';
import { fileField } from './file-field.ts';
import { icon } from './icons.ts';
import { menuButton } from './menu.ts';
import { picker } from './picker.ts';
import { act, ignoreErrors } from './server.ts';
import type { Block, ElementRef, FieldValue, Json, Surface } from './state.ts';
import { type Names, plainOf } from './text.ts';
import { textInput } from './text-input.ts';
import { local, redraw } from './ui.ts';

/** An element of a block, with its state on the page. */
export interface Element {
  ref: ElementRef;
  /** Stable across renders, and valid as an `id` attribute. */
  id: string;
  raw: Json;
  entered: FieldValue;
  /** The accessible name; a field has its own label. */
  label: string;
  /** For a field: the ids of its hint and its error. */
  describedBy?: string;
  isInvalid?: boolean;
  names: Names;
  /** A change is sent to the bot immediately, not with the form. */
  sendsImmediately: boolean;
}

export function elementOf(surface: Surface, names: Names, block: Block, raw: Json, label: string): Element {
  const actionId = String(raw.action_id);
  const ref = { surface: surface.ref, blockId: block.block_id, actionId };
  const destination = surface.ref.kind === 'view' ? surface.ref.viewId : surface.ref.ts;
  return {
    ref,
    id: `${destination}-${block.block_id}-${actionId}`.replace(/[^\w-]/g, (character) => `_${character.charCodeAt(0)}`),
    raw,
    entered: surface.entered[block.block_id]?.[actionId] ?? { text: '', chosen: [] },
    label: String(raw.accessibility_label ?? '') || label || plainOf(raw.placeholder),
    names,
    sendsImmediately: block.type !== 'input' || block.dispatch_action === true,
  };
}

export function drawElement(surface: Surface, names: Names, block: Block, raw: Json, label: string): Content {
  return drawInner(elementOf(surface, names, block, raw, label));
}

export function drawInner(element: Element): Content {
  const type = String(element.raw.type);
  if (type === 'button') return button(element);
  if (type === 'overflow') return overflow(element);
  if (type === 'checkboxes' || type === 'radio_buttons') return choiceGroup(element);
  if (type === 'file_input') return fileField(element);
  if (type.endsWith('_select')) return picker(element);
  return textInput(element);
}

function button({ ref, id, raw }: Element): VNode {
  const state = local(`button ${id}`, () => ({ isBusy: false }));
  const url = typeof raw.url === 'string' ? raw.url : undefined;
  const press = () => {
    state.isBusy = true;
    redraw();
    const pressed = act('press', { ref }).finally(() => {
      state.isBusy = false;
      redraw();
    });
    ignoreErrors(pressed);
  };
  const props = {
    key: id,
    class: `button ${raw.style ?? 'plain'}`,
    'aria-label': raw.accessibility_label,
    onclick: press,
  };
  // The browser follows the link, and the bot is notified of the click too.
  if (url) return h('a', { ...props, href: url, target: '_blank', rel: 'noopener noreferrer' }, plainOf(raw.text));
  return h('button', { ...props, type: 'button', 'aria-busy': state.isBusy && 'true' }, plainOf(raw.text));
}

function overflow({ ref, id, raw, label }: Element): VNode {
  const options = (raw.options ?? []) as Json[];
  return menuButton({
    key: id,
    label: label || 'More',
    content: icon('more'),
    class: 'button plain square',
    items: options.map((option) => ({
      label: plainOf(option.text),
      description: plainOf(option.description),
      run: () => ignoreErrors(act('press', { ref, option })),
    })),
  });
}
