import { limits } from './limits.ts';
import { richTextLeaf, verbatimLeaf } from './rich-text-leaves.ts';
import { list, object, type, typed } from './shapes.ts';
import { id, integer, oneOf } from './values.ts';

const border = oneOf(0, 1);

const section = object({ required: { type, elements: list(richTextLeaf) } });

const part = typed({
  rich_text_section: section,
  rich_text_list: object({
    required: { type, style: oneOf('bullet', 'ordered'), elements: list(typed({ rich_text_section: section })) },
    optional: { indent: integer(0, limits.richText.indent), offset: integer(0), border },
  }),
  rich_text_quote: object({ required: { type, elements: list(richTextLeaf) }, optional: { border } }),
  rich_text_preformatted: object({ required: { type, elements: list(verbatimLeaf) }, optional: { border } }),
});

/** The block, the initial value of an input, and the cell of a table. */
export const richText = object({ required: { type, elements: list(part) }, optional: { block_id: id } });
