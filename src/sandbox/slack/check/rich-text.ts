import { limits } from './limits.ts';
import { richTextLeaf } from './rich-text-leaves.ts';
import { byType, list, variant } from './shapes.ts';
import { integer, oneOf } from './values.ts';

const section = variant({ required: { elements: list(richTextLeaf) } });

const part = byType({
  rich_text_section: section,
  rich_text_list: variant({
    required: { style: oneOf('bullet', 'ordered'), elements: list(byType({ rich_text_section: section })) },
    optional: { indent: integer(0, limits.richText.indent), offset: integer(0), border: oneOf(0, 1) },
  }),
});

export const richTextShape = { required: { elements: list(part) } };
