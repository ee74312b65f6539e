import { z } from 'zod';
import { actionElement, homeInput, modalInput } from './elements.ts';
import { limits } from './limits.ts';
import { richTextElements } from './rich-text.ts';
import { anyText, flag, id, list, plainText, typed, unique } from './values.ts';

const block_id = id.optional();

const section = typed('section', {
  block_id,
  text: anyText(limits.section.text).optional(),
  fields: list(anyText(limits.section.field), limits.section.fields).optional(),
  accessory: actionElement.optional(),
}).refine(
  ({ text, fields }) => text !== undefined || fields !== undefined,
  'must define at least one of: text, fields',
);

const context = typed('context', {
  block_id,
  elements: list(anyText(limits.text), limits.context.elements),
});

const actions = typed('actions', {
  block_id,
  elements: list(actionElement, limits.actions.elements).superRefine(unique('action_id')),
});

/** The blocks that the bot uses. Slack has more; the others are refused like a misspelt type. */
const common = [
  section,
  typed('header', { block_id, text: plainText(limits.header) }),
  typed('divider', { block_id }),
  context,
  actions,
  typed('rich_text', { block_id, elements: richTextElements }),
] as const;

/** Slack also accepts inputs in messages; here they are only for views. */
const input = {
  block_id,
  label: plainText(limits.input.label),
  hint: plainText(limits.input.hint).optional(),
  optional: flag,
  dispatch_action: flag,
};

const homeInputBlock = typed('input', { ...input, element: homeInput });

const modalInputBlock = typed('input', { ...input, element: modalInput }).refine(
  ({ element, dispatch_action }) => element.type !== 'file_input' || dispatch_action !== true,
  { error: 'must be false for a file_input', path: ['dispatch_action'] },
);

const message = z.discriminatedUnion('type', common);
const modal = z.discriminatedUnion('type', [...common, modalInputBlock]);
const home = z.discriminatedUnion('type', [...common, homeInputBlock]);

export const messageBlocks = list(message, limits.message.blocks).superRefine(unique('block_id'));
export const modalBlocks = list(modal, limits.view.blocks).superRefine(unique('block_id'));
export const homeBlocks = list(home, limits.view.blocks).superRefine(unique('block_id'));
