import { limits } from './limits.ts';
import { richTextLeaf, verbatimLeaf } from './rich-text-leaves.ts';
import { byType, list, variant } from './shapes.ts';
import { id, integer, oneOf } from './values.ts';

const border = oneOf(0, 1);

const section = variant({ required: { elements: list(richTextLeaf) } });

const part = byType({
  rich_text_section: section,
  rich_text_list: variant({
    required: { style: oneOf('bullet', 'ordered'), elements: list(byType({ rich_text_section: section })) },
    optional: { indent: integer(0, limits.richText.indent), offset: integer(0), border },
  }),
  rich_text_quote: variant({ required: { elements: list(richTextLeaf) }, optional: { border } }),
  rich_text_preformatted: variant({ required: { elements: list(verbatimLeaf) }, optional: { border } }),
});

export const richTextShape = { required: { elements: list(part) } };

/** Rich text that isn't a block: the initial value of an input, a container's title, a table's cell. */
export const richText = byType({ rich_text: variant({ ...richTextShape, optional: { block_id: id } }) });
