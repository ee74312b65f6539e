import { actionElement, inputElement } from '../elements/index.ts';
import { limits } from '../limits.ts';
import { child, refuse } from '../path.ts';
import { atLeastOneOf, isFields, list, type Rule, unique } from '../shapes.ts';
import { anyText, plainText } from '../text-objects.ts';
import { flag } from '../values.ts';
import { block } from './block.ts';

export const section = block(
  {
    optional: {
      text: anyText(limits.section.text),
      fields: list(anyText(limits.section.field), { max: limits.section.fields }),
      accessory: actionElement,
    },
  },
  atLeastOneOf('text', 'fields'),
);

export const header = block({ required: { text: plainText(limits.header) } });

export const divider = block({});

export const context = block({
  required: { elements: list(anyText(), { max: limits.context.elements }) },
});

export const actions = block(
  {
    required: { elements: list(actionElement, { max: limits.actions.elements }) },
  },
  unique('elements', 'action_id'),
);

const noDispatchForFiles: Rule = ({ element, dispatch_action }, path) => {
  if (dispatch_action === true && isFields(element) && element.type === 'file_input') {
    refuse(child(path, 'dispatch_action'), 'must be false for a file_input');
  }
};

const countInput: Rule = (_, path) => {
  path.state.inputs += 1;
};

export const input = block(
  {
    required: { label: plainText(limits.input.label), element: inputElement },
    optional: { hint: plainText(limits.input.hint), optional: flag, dispatch_action: flag },
  },
  noDispatchForFiles,
  countInput,
);
