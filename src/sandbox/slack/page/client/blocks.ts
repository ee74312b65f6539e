import { type Content, h, type VNode } from './dom.ts';
import { drawElement } from './elements.ts';
import { drawField } from './field.ts';
import { richText } from './rich-text.ts';
import type { Block, Json, Surface } from './state.ts';
import { type Names, plainOf, textOf } from './text.ts';

/** Renders the blocks of a message, a form or a Home tab. `heading` is the tag of their headers. */
export function drawBlocks(surface: Surface, names: Names, heading: 'h2' | 'h3' = 'h2'): VNode[] {
  return surface.blocks.map((block) =>
    h('div', { key: block.block_id, class: `block block-${block.type}` }, drawBlock(surface, names, block, heading)),
  );
}

function drawBlock(surface: Surface, names: Names, block: Block, heading: 'h2' | 'h3'): Content {
  switch (block.type) {
    case 'header':
      return h(heading, {}, plainOf(block.text));
    case 'divider':
      return h('hr');
    case 'section':
      return section(surface, names, block);
    case 'context':
      return objects(block.elements).map((part) => h('span', {}, textOf(names, part)));
    case 'actions':
      return elements(surface, names, block, block.elements);
    case 'input':
      return drawField(surface, names, block);
    default:
      return richText(names, block);
  }
}

function section(surface: Surface, names: Names, block: Block): Content {
  const fields = objects(block.fields).map((field) => h('div', {}, textOf(names, field)));
  return [
    h(
      'div',
      { class: 'section-text' },
      textOf(names, block.text),
      fields.length > 0 && h('div', { class: 'section-fields' }, fields),
    ),
    elements(surface, names, block, [block.accessory]),
  ];
}

function elements(surface: Surface, names: Names, block: Block, list: unknown): Content {
  // Beside a section, a field without a label uses the section's text.
  const label = block.type === 'section' ? plainOf(block.text) : '';
  return objects(list).map((element) => drawElement(surface, names, block, element, label));
}

function objects(value: unknown): Json[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.filter((item): item is Json => typeof item === 'object' && item !== null);
}
