import { image, onePicture, picture } from '../elements/image.ts';
import { accessory, actionElement, inputElement } from '../elements/index.ts';
import { limits } from '../limits.ts';
import { below, refuse } from '../place.ts';
import { atLeastOne, isFields, list, object, type Rule, type, typed, unique } from '../shapes.ts';
import { anyText, mrkdwnText, plainText } from '../text-objects.ts';
import { flag, id, text } from '../values.ts';

export const section = object(
  {
    required: { type },
    optional: {
      block_id: id,
      text: anyText(limits.section.text),
      fields: list(anyText(limits.section.field), { max: limits.section.fields }),
      accessory,
      expand: flag,
    },
  },
  atLeastOne('text', 'fields'),
);

export const header = object({
  required: { type, text: plainText(limits.header) },
  optional: { block_id: id },
});

export const divider = object({ required: { type }, optional: { block_id: id } });

const contextElement = typed({ image, mrkdwn: mrkdwnText(), plain_text: plainText() });

export const context = object({
  required: { type, elements: list(contextElement, { max: limits.context.elements }) },
  optional: { block_id: id },
});

export const actions = object(
  {
    required: { type, elements: list(actionElement, { max: limits.actions.elements }) },
    optional: { block_id: id },
  },
  unique('elements', 'action_id'),
);

export const imageBlock = object(
  {
    required: picture.required,
    optional: { ...picture.optional, block_id: id, title: plainText(limits.image.title) },
  },
  onePicture,
);

const filesDispatchNothing: Rule = ({ element, dispatch_action }, place) => {
  if (dispatch_action === true && isFields(element) && element.type === 'file_input') {
    refuse(below(place, 'dispatch_action'), 'must be false for a file_input');
  }
};

const countInput: Rule = (_, place) => {
  place.whole.inputs += 1;
};

export const input = object(
  {
    required: { type, label: plainText(limits.input.label), element: inputElement },
    optional: { block_id: id, hint: plainText(limits.input.hint), optional: flag, dispatch_action: flag },
  },
  filesDispatchNothing,
  countInput,
);

export const markdown = object({
  required: { type, text: text(limits.message.markdown) },
  optional: { block_id: id },
});
