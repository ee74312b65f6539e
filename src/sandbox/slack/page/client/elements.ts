import { choiceGroup } from './choice-group.ts';
import { type Content, h, type VNode } from './dom.ts';
import { fileField } from './file-field.ts';
import { icon } from './icons.ts';
import { menuButton } from './menu.ts';
import { picker } from './picker.ts';
import { act, quietly } from './server.ts';
import type { Block, ElementRef, Held, Json, Surface } from './state.ts';
import { type Names, plainOf } from './text.ts';
import { textInput } from './text-input.ts';
import { local, redraw } from './ui.ts';

/** An element of a block, ready to be used, and what the page knows of it. */
export interface Element {
  ref: ElementRef;
  /** The same on every drawing of the same element, and fit for the attribute `id`. */
  id: string;
  raw: Json;
  held: Held;
  /** What a screen reader says; a field has a label of its own. */
  label: string;
  /** Of a field: the ids of its hint and its error. */
  describedBy?: string;
  isInvalid?: boolean;
  names: Names;
  /** A change is told to the bot at once, and not with the whole form. */
  tellsAtOnce: boolean;
}

export function elementOf(surface: Surface, names: Names, block: Block, raw: Json, label: string): Element {
  const actionId = String(raw.action_id);
  const ref = { surface: surface.ref, blockId: block.block_id, actionId };
  const place = surface.ref.kind === 'view' ? surface.ref.viewId : surface.ref.ts;
  return {
    ref,
    id: `${place}-${block.block_id}-${actionId}`.replace(/[^\w-]/g, (odd) => `_${odd.charCodeAt(0)}`),
    raw,
    held: surface.held[block.block_id]?.[actionId] ?? { text: '', chosen: [] },
    label: String(raw.accessibility_label ?? '') || label || plainOf(raw.placeholder),
    names,
    tellsAtOnce: block.type !== 'input' || block.dispatch_action === true,
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
    quietly(pressed);
  };
  const props = {
    key: id,
    class: `button ${raw.style ?? 'plain'}`,
    'aria-label': raw.accessibility_label,
    onclick: press,
  };
  // The bot is told of a click on a link too, and the browser follows it.
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
      run: () => quietly(act('press', { ref, option })),
    })),
  });
}
