import { z } from 'zod';
import { limits } from './limits.ts';
import { type Problem, problemIn } from './problem.ts';
import { anyText, link, list, plainText, text } from './values.ts';

const common = {
  value: text(limits.option.value),
  description: plainText(limits.option.description).optional(),
};

/** For selects and the app's suggestions. */
export const plainOption = z.strictObject({ text: plainText(limits.option.text), ...common });

/** For checkboxes and radio buttons, which can have markup. */
export const markupOption = z.strictObject({ text: anyText(limits.option.text), ...common });

/** For an overflow menu, whose entries can be links. */
export const menuOption = plainOption.extend({ url: link.optional() });

const optionGroup = z.strictObject({
  label: plainText(limits.optionGroup.label),
  options: list(plainOption, limits.optionGroup.options),
});

export const options = z.array(plainOption).max(limits.select.options);
export const optionGroups = z.array(optionGroup).max(limits.select.groups);

interface Option {
  value: string;
}

interface Choices {
  options?: Option[];
  option_groups?: { options: Option[] }[];
  initial_option?: Option;
  initial_options?: Option[];
}

type Rule = [isMet: (choices: Choices) => boolean, message: string];

export const oneKindOfOptions: Rule = [
  ({ options, option_groups: groups }) => (options === undefined) !== (groups === undefined),
  'must define exactly one of: options, option_groups',
];

/** The bot identifies an option by its value, so values must be unique. */
export const uniqueValues: Rule = [
  (choices) => {
    const values = allOptions(choices).map(({ value }) => value);
    return new Set(values).size === values.length;
  },
  'options must have different values',
];

/** An initial option must match an offered one exactly: Slack compares text and description too. */
export function initialIsAnOption(choices: Choices, context: z.core.$RefinementCtx): void {
  const { initial_option: one, initial_options: several = [] } = choices;
  if (one === undefined && several.length === 0) return;
  // Parsed options have their fields in the order of the schema, so equal ones have equal JSON.
  const offered = new Set(allOptions(choices).map((option) => JSON.stringify(option)));
  const check = (option: Option, path: PropertyKey[]) => {
    if (offered.has(JSON.stringify(option))) return;
    context.addIssue({ code: 'custom', message: 'must match one of the options exactly', path });
  };
  if (one) check(one, ['initial_option']);
  for (const [index, option] of several.entries()) check(option, ['initial_options', index]);
}

function allOptions({ options = [], option_groups: groups = [] }: Choices): Option[] {
  return [...options, ...groups.flatMap((group) => group.options)];
}

/** An app's answer to a block_suggestion. Empty lists are valid: nothing was found. */
const suggestions = z
  .strictObject({ options: options.optional(), option_groups: optionGroups.optional() })
  .refine(...oneKindOfOptions)
  .refine(...uniqueValues);

export function checkOptions(answer: unknown): Problem | undefined {
  return problemIn(suggestions, answer, 'invalid_arguments', '');
}
