import { limits } from '../limits.ts';
import { child, refuse } from '../path.ts';
import { list, noDuplicates, object, variant } from '../shapes.ts';
import { placeholder } from '../text-objects.ts';
import { flag, id, integer, matching, oneOf, text } from '../values.ts';

const dispatch_action_config = object(
  { required: { trigger_actions_on: list(oneOf('on_enter_pressed', 'on_character_entered'), { max: 2 }) } },
  noDuplicates('trigger_actions_on'),
);

const maxLength = limits.plainTextInput.length;

export const plainTextInput = variant(
  {
    optional: {
      action_id: id,
      placeholder,
      dispatch_action_config,
      initial_value: text(maxLength),
      multiline: flag,
      max_length: integer(1, maxLength),
    },
  },
  (fields, path) => {
    const { initial_value: initial, max_length: max } = fields;
    if (typeof initial === 'string' && typeof max === 'number' && initial.length > max) {
      refuse(child(path, 'initial_value'), 'must not be longer than max_length');
    }
  },
);

export const fileInput = variant({
  optional: {
    action_id: id,
    filetypes: list(matching(/^[a-z0-9_]{1,32}$/, 'a file extension without its dot')),
    max_files: integer(1, limits.fileInput.files),
  },
});
