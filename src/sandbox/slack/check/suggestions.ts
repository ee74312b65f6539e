import { limits } from './limits.ts';
import { optionGroup, plainOption, uniqueValues } from './options.ts';
import { createCheckState, rootOf } from './path.ts';
import { type Problem, problemIn } from './problem.ts';
import { exactlyOneOf, list, object } from './shapes.ts';

/** Empty lists are valid: nothing was found. */
const answer = object(
  {
    optional: {
      options: list(plainOption, { min: 0, max: limits.select.options }),
      option_groups: list(optionGroup, { min: 0, max: limits.select.groups }),
    },
  },
  exactlyOneOf('options', 'option_groups'),
  uniqueValues,
);

/** Checks an app's answer to a block_suggestion. */
export function checkOptions(value: unknown): Problem | undefined {
  // The surface doesn't matter for these checks.
  const state = createCheckState('modal');
  answer(value, rootOf(state));
  return problemIn(state, 'invalid_arguments');
}
