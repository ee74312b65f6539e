import { limits } from './limits.ts';
import { optionGroup, plainOption, uniqueValues } from './options.ts';
import { createWhole, rootOf } from './path.ts';
import { type Problem, problemIn } from './problem.ts';
import { exactlyOne, list, object } from './shapes.ts';

/** Empty lists are valid: nothing was found. */
const answer = object(
  {
    optional: {
      options: list(plainOption, { min: 0, max: limits.select.options }),
      option_groups: list(optionGroup, { min: 0, max: limits.select.groups }),
    },
  },
  exactlyOne('options', 'option_groups'),
  uniqueValues,
);

/** Checks an app's answer to a block_suggestion. */
export function checkOptions(value: unknown): Problem | undefined {
  // Any surface will do: these checks don't depend on it.
  const whole = createWhole('modal');
  answer(value, rootOf(whole));
  return problemIn(whole, 'invalid_arguments');
}
