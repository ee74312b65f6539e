import * as examples from './examples.ts';
import { actions, input } from './helper.ts';
import { removed } from './mutations.ts';
import type { Sample } from './samples.ts';

const unused = [
  ...examples.unusedBlocks,
  ...examples.unusedElements,
  ...examples.unusedLeaves,
  'rich_text_quote',
  'rich_text_preformatted',
];

/**
 * Values that our checks refuse and the JSON Schema accepts, as the error message of our checks and the reason.
 * According to its README, the schema can't express uniqueness or what a surface allows.
 */
export const stricter: [message: RegExp, reason: string][] = [
  [
    /must be less than 76 characters .*\/value\]$/,
    "Slack's types give the value of an option 75 characters, its page 150",
  ],
  [
    /unsupported type: mrkdwn .*\/description\/type\]$/,
    "Slack's types and its page allow only plain descriptions of options",
  ],
  [/options must have different values/, 'the value identifies the selected option; the page calls it unique'],
  [/must match one of the options exactly/, 'a schema cannot compare two fields'],
  [/must not be longer than max_length/, 'a schema cannot compare two fields'],
  [/duplicate `(action_id|block_id|value)`/, 'a schema cannot compare two fields'],
  [/items must be unique/, 'the same item cannot be selected twice'],
  [/no more than 10 items allowed .*\/initial_options\]$/, 'there are at most 10 checkboxes'],
  [/no fewer than 1 items allowed/, 'an empty list has no use'],
  [/must be more than 0 characters/, 'an empty text has no use'],
  [/unsupported type: input \[json-pointer:\/blocks\/\d+\/type\]$/, 'the sandbox accepts inputs only in views'],
  [/must be the id of a conversation/, 'the schema checks the first letter of other ids too'],
  [/must be .*\/initial_value\]$/, 'an initial value must be valid for its field'],
  [/must be less than \d+ characters .*\/initial_value\]$/, 'the same limit as for typed text'],
  [/must contain a date token/, 'a format without a token shows no date'],
  [/must be a file extension/, "required by Slack's page"],
  [new RegExp(`unsupported type: (${unused.join('|')}) `), 'the bot does not use it'],
];

type Case = [name: string, surface: Sample['surface'], block: unknown];

export function schemaExamples(): Case[] {
  const inputs = { ...examples.choiceElements, ...examples.textInputs };
  return [
    ...Object.entries(examples.commonBlocks).map(([name, block]): Case => [name, 'message', block]),
    ...Object.entries(examples.clickableElements).map(([name, one]): Case => [name, 'message', actions(one)]),
    // The button covers confirmations. Testing them in each element would take longer and find nothing new.
    ...Object.entries(inputs).map(([name, one]): Case => [name, 'modal', input(removed(one, ['confirm']))]),
    ['file_input', 'modal', input(examples.fileInput)],
    ['input', 'modal', examples.inputBlock],
  ];
}
