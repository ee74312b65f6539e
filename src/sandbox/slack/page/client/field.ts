import { type Content, h } from './dom.ts';
import { elementOf } from './element.ts';
import { drawControl } from './elements.ts';
import type { Block, Json, Surface } from './state.ts';
import { type Names, plainOf } from './text.ts';

/** A field of a form: label, element, hint and error. */
export function drawField(surface: Surface, names: Names, block: Block): Content {
  const raw = block.element as Json;
  const label = plainOf(block.label);
  const element = elementOf(surface, names, block, raw, label);
  const error = surface.errors[block.block_id];
  const hint = plainOf(block.hint);
  const described = [error !== undefined && `${element.id}-error`, hint !== '' && `${element.id}-hint`].filter(Boolean);
  const isGroup = ['checkboxes', 'radio_buttons'].includes(String(raw.type));
  const labelContent: Content = [label, block.optional === true && h('span', { class: 'dim' }, ' (optional)')];
  return [
    isGroup
      ? h('span', { class: 'label', id: `${element.id}-label` }, labelContent)
      : h('label', { class: 'label', for: element.id, id: `${element.id}-label` }, labelContent),
    drawControl({
      ...element,
      isInvalid: error !== undefined,
      ...(described.length > 0 && { describedBy: described.join(' ') }),
    }),
    error !== undefined && h('p', { class: 'field-error', id: `${element.id}-error`, role: 'alert' }, error),
    hint !== '' && h('p', { class: 'hint', id: `${element.id}-hint` }, hint),
  ];
}
