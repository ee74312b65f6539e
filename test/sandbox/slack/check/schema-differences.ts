import { actions, input, rich } from './helper.ts';
import { removed } from './mutations.ts';
import type { Sample } from './samples.ts';
import * as specimens from './specimens.ts';

/**
 * Where our checks refuse what the JSON Schema accepts: our message and the reason. By its README, the schema can
 * express neither uniqueness nor what a surface allows.
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
  [/no more than max_selected_items allowed/, 'a schema cannot compare two fields'],
  [/must not be longer than max_length/, 'a schema cannot compare two fields'],
  [/all rows must have the same number of values/, 'a schema cannot compare two fields'],
  [/duplicate `(action_id|block_id|task_id|value)`/, 'a schema cannot compare two fields'],
  [/only_one_table_allowed/, 'a schema cannot count across blocks'],
  [/items must be unique/, 'the same item cannot be selected twice'],
  [/no more than 10 items allowed .*\/initial_options\]$/, 'there are at most 10 checkboxes'],
  [/must be less than 2001 characters .*\/alt_text\]$/, 'one limit for images, whether they are blocks or elements'],
  [/no fewer than 1 items allowed/, 'an empty list has no use'],
  [/must be more than 0 characters/, 'an empty text has no use'],
  [/unsupported type: input \[json-pointer:\/blocks\/\d+\/type\]$/, 'the sandbox accepts inputs only in views'],
  [/unsupported type: plain_text .*\/(title|subtitle|body)\/type\]$/, "Slack's types allow only mrkdwn texts in cards"],
  [/must be the IANA name of a time zone/, "required by Slack's page"],
  [/must be the id of a (file|conversation)/, 'the schema checks the first letter of other ids too'],
  [/must be .*\/initial_value\]$/, 'an initial value must be valid for its field'],
  [
    /must be less than \d+ characters .*\/(initial_value|task_id)\]$/,
    'the same limit as for typed text, or for other ids',
  ],
  [/missing required field: (text|status|type) .*\/(rows|tasks|blocks)\/\d+(\/\d+)?\]$/, "Slack's types require it"],
  [/must be (the name of an emoji|hexadecimal code points)/, "Slack's types define the format of an emoji"],
  [/must contain a date token/, 'a format without a token shows no date'],
  [/must be a file extension/, "required by Slack's page"],
  [/^msg_blocks_too_long$/, 'observed, but not documented'],
];

type Case = [name: string, surface: Sample['surface'], block: unknown];

const table = (...row: unknown[]) => ({ type: 'table', rows: [row] });
const rawNumber = { type: 'raw_number', value: 1, text: '1' };
const emoji = { type: 'emoji', name: 'wave', url: 'https://example.org/wave.png' };

/** What Slack's types allow but the older schema doesn't. */
export const newer: Case[] = [
  ['a number in a table', 'message', table(rawNumber)],
  ['the URL of an emoji', 'message', rich(emoji)],
  ['min_lines of a rich text input', 'modal', input({ type: 'rich_text_input', action_id: 'a', min_lines: 1 })],
  ['max_lines of a rich text input', 'modal', input({ type: 'rich_text_input', action_id: 'a', max_lines: 1 })],
  ['a rich text input among actions', 'message', actions({ type: 'rich_text_input', action_id: 'a' })],
];

/** The specimens without what only Slack's types allow. */
export function schemaSpecimens(): Case[] {
  const { min_lines, max_lines, ...richTextInput } = specimens.richTextInput;
  const inputs = { ...specimens.choiceElements, ...specimens.typed, datetimepicker: specimens.datetimepicker };
  return [
    ...Object.entries(specimens.everywhere).map(([name, block]): Case => [name, 'message', inSchema(name, block)]),
    ...Object.entries(specimens.messageOnly).map(([name, block]): Case => [name, 'message', inSchema(name, block)]),
    ...Object.entries(specimens.clickable).map(([name, one]): Case => [name, 'message', actions(one)]),
    // The button covers confirmations. Testing them in each element would take longer and find nothing new.
    ...Object.entries(inputs).map(([name, one]): Case => [name, 'modal', input(removed(one, ['confirm']))]),
    ['rich_text_input', 'modal', input(richTextInput)],
    ['file_input', 'modal', input(specimens.fileInput)],
    ['input', 'modal', specimens.inputBlock],
    ['alert', 'modal', specimens.alert],
    ['carousel', 'home', specimens.carousel],
  ];
}

function inSchema(name: string, block: unknown): unknown {
  if (name === 'rich_text') return removed(block, ['elements', 0, 'elements', 8, 'url']);
  return name === 'table' ? table({ type: 'raw_text', text: 'cell' }) : block;
}
