import { confirm } from '../confirm.ts';
import { limits } from '../limits.ts';
import { initialIsOffered, markedOption, menuOption, uniqueValues } from '../options.ts';
import { kind, list, unique } from '../shapes.ts';
import { id } from '../values.ts';
import { focus_on_load } from './focus.ts';

export const checkboxes = kind(
  {
    required: { options: list(markedOption, { max: limits.checkboxes.options }) },
    optional: {
      action_id: id,
      initial_options: list(markedOption, { max: limits.checkboxes.options }),
      confirm,
      focus_on_load,
    },
  },
  uniqueValues,
  initialIsOffered,
  unique('initial_options', 'value'),
);

export const radioButtons = kind(
  {
    required: { options: list(markedOption, { max: limits.radioButtons.options }) },
    optional: { action_id: id, initial_option: markedOption, confirm, focus_on_load },
  },
  uniqueValues,
  initialIsOffered,
);

export const overflow = kind(
  {
    required: { options: list(menuOption, { max: limits.overflow.options }) },
    optional: { action_id: id, confirm },
  },
  uniqueValues,
);
