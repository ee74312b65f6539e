import type { ViewOutput, ViewStateValue } from '@slack/bolt';
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { problem, problemBlockId } from './blocks.ts';
import { fieldName } from './field-ids.ts';
import { stateValueOf } from './form.ts';
import { limits } from './limits.ts';

/** Fields whose content must not be sent back to Slack. */
const secretFields = new Set(['apiKey']);

/** The same form with what was typed, and an error message at the top. */
export function formAgain(view: ViewOutput, message: string): ModalView {
  const otherBlocks = (view.blocks as KnownBlock[]).filter((block) => block.block_id !== problemBlockId);
  const { title, close, submit, callback_id, private_metadata } = view;
  return {
    type: 'modal',
    title,
    ...(callback_id ? { callback_id } : {}),
    ...(private_metadata ? { private_metadata } : {}),
    ...(view.notify_on_close ? { notify_on_close: true } : {}),
    ...(close === null ? {} : { close }),
    ...(submit === null ? {} : { submit }),
    blocks: [problem(message), ...otherBlocks.flatMap((block) => rebuiltBlock(block, view))].slice(
      0,
      limits.viewBlocks,
    ),
  };
}

/**
 * The properties that our blocks and elements have. A form is rebuilt from these only: Slack adds other properties to
 * a view that it sends back, and can refuse them when they are sent again.
 */
const blockProperties: Partial<Record<string, readonly string[]>> = {
  actions: ['elements'],
  context: ['elements'],
  divider: [],
  header: ['text'],
  input: ['block_id', 'label', 'hint', 'optional', 'dispatch_action', 'element'],
  rich_text: ['elements'],
  section: ['text', 'accessory'],
};
const elementProperties = [
  'type',
  'action_id',
  'text',
  'value',
  'style',
  'confirm',
  'url',
  'accessibility_label',
  'options',
  'placeholder',
  'multiline',
  'max_length',
  'dispatch_action_config',
  'min_query_length',
  'filter',
  'filetypes',
  'max_files',
];

function rebuiltBlock(block: KnownBlock, view: ViewOutput): KnownBlock[] {
  const properties = blockProperties[block.type];
  if (properties === undefined) return [];
  const built: Record<string, unknown> = { type: block.type, ...picked(block, properties) };
  if (block.type === 'input')
    built.element = { ...picked(block.element, elementProperties), ...initialValueOf(block, view) };
  if (block.type === 'section' && block.accessory) built.accessory = picked(block.accessory, elementProperties);
  if (block.type === 'actions') built.elements = block.elements.map((element) => picked(element, elementProperties));
  return [built as unknown as KnownBlock];
}

function picked(from: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name, value]) => names.includes(name) && value !== null));
}

/** What was typed, or the previous initial value if Slack doesn't report the field. */
function initialValueOf({ block_id: id = '', element }: InputBlock, view: ViewOutput): Record<string, unknown> {
  if (secretFields.has(fieldName(id))) return {};
  const typed = stateValueOf(view, id);
  if (typed !== undefined) return initialOf(typed);
  return Object.fromEntries(Object.entries(element).filter(([name]) => name.startsWith('initial_')));
}

function initialOf(typed: ViewStateValue): Record<string, unknown> {
  const pairs: [string, unknown][] = [
    ['initial_value', typed.value],
    ['initial_option', typed.selected_option],
    ['initial_options', typed.selected_options],
    ['initial_conversation', typed.selected_conversation],
    ['initial_conversations', typed.selected_conversations],
    ['initial_channel', typed.selected_channel],
    ['initial_channels', typed.selected_channels],
    ['initial_user', typed.selected_user],
    ['initial_users', typed.selected_users],
    ['initial_date', typed.selected_date],
  ];
  const hasValue = (value: unknown) =>
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(pairs.filter(([, value]) => hasValue(value)));
}
