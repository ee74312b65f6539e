import { confirm } from '../confirm.ts';
import { limits } from '../limits.ts';
import { initialIsAnOption, markupOption, menuOption, uniqueValues } from '../options.ts';
import { list, unique, variant } from '../shapes.ts';
import { id } from '../values.ts';

export const checkboxes = variant(
  {
    required: { options: list(markupOption, { max: limits.checkboxes.options }) },
    optional: {
      action_id: id,
      initial_options: list(markupOption, { max: limits.checkboxes.options }),
      confirm,
    },
  },
  uniqueValues,
  initialIsAnOption,
  unique('initial_options', 'value'),
);

export const radioButtons = variant(
  {
    required: { options: list(markupOption, { max: limits.radioButtons.options }) },
    optional: { action_id: id, initial_option: markupOption, confirm },
  },
  uniqueValues,
  initialIsAnOption,
);

export const overflow = variant(
  {
    required: { options: list(menuOption, { max: limits.overflow.options }) },
    optional: { action_id: id, confirm },
  },
  uniqueValues,
);
