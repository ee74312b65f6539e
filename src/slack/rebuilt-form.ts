import type { ViewOutput, ViewStateValue } from '@slack/bolt';
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { missingBlockId, problem, problemBlockId, section } from './blocks.ts';
import { fieldName, newFieldId } from './field-ids.ts';
import { stateValueOf } from './form.ts';
import { limits } from './limits.ts';

/** Fields whose content must not be sent back to Slack. */
const secretFields = new Set(['apiKey']);

/** The same form with what was typed, and an error message at the top. */
export function formWithError(view: ViewOutput, message: string): ModalView {
  const form = rebuildForm(view);
  const otherBlocks = (form.blocks as KnownBlock[]).filter((block) => block.block_id !== problemBlockId);
  return { ...form, blocks: [problem(message), ...otherBlocks].slice(0, limits.viewBlocks) };
}

/** The same form with what was typed, but without some of the options chosen in one field. */
export function formWithout(view: ViewOutput, name: string, isRemoved: (value: string) => boolean): ModalView {
  return withElement(view, name, ({ initial_options: chosen, ...element }) => {
    const remaining = ((chosen ?? []) as { value: string }[]).filter(({ value }) => !isRemoved(value));
    return { ...element, ...(remaining.length === 0 ? {} : { initial_options: remaining }) };
  });
}

/** The same form with what was typed, and another text in a field. */
export function formWithText(view: ViewOutput, name: string, text: string): ModalView {
  return withElement(view, name, (element) => ({ ...element, initial_value: text }));
}

/** The same form with what was typed, and with other blocks. */
export function formWithBlocks(view: ViewOutput, change: (blocks: KnownBlock[]) => KnownBlock[]): ModalView {
  const form = rebuildForm(view);
  return { ...form, blocks: change(form.blocks as KnownBlock[]) };
}

/** The same form with what was typed. The text replaces the section with the button of this action. */
export function formWithNotice(view: ViewOutput, action: string, text: string): ModalView {
  const hasButton = (block: KnownBlock) =>
    block.type === 'section' && block.accessory?.type === 'button' && block.accessory.action_id === action;
  return formWithBlocks(view, (blocks) => blocks.map((block) => (hasButton(block) ? section(text) : block)));
}

function withElement(
  view: ViewOutput,
  name: string,
  change: (element: Record<string, unknown>) => Record<string, unknown>,
): ModalView {
  const form = rebuildForm(view);
  const blocks = (form.blocks as KnownBlock[]).map((block) => {
    if (block.type !== 'input' || fieldName(block.block_id ?? '') !== name) return block;
    const element = change({ ...block.element });
    // With a new id, because Slack ignores a new initial value for the old one.
    return { ...block, block_id: newFieldId(name), element } as unknown as InputBlock;
  });
  return { ...form, blocks };
}

function rebuildForm(view: ViewOutput): ModalView {
  const { title, close, submit, callback_id, private_metadata } = view;
  return {
    type: 'modal',
    title,
    ...(callback_id ? { callback_id } : {}),
    ...(private_metadata ? { private_metadata } : {}),
    ...(view.notify_on_close ? { notify_on_close: true } : {}),
    ...(close === null ? {} : { close }),
    ...(submit === null ? {} : { submit }),
    blocks: (view.blocks as KnownBlock[]).map((block) => rebuildBlock(block, view)),
  };
}

/**
 * The properties that our blocks and the objects in them have. A form is rebuilt from these only: Slack completes the
 * blocks that it sends back, and can refuse them when they are sent again.
 */
const ourProperties = new Set([
  ...['type', 'text', 'emoji', 'verbatim', 'label', 'hint', 'optional', 'dispatch_action', 'element', 'elements'],
  ...['accessory', 'action_id', 'value', 'style', 'url', 'accessibility_label', 'confirm', 'title', 'deny'],
  ...['options', 'option_groups', 'description', 'placeholder', 'multiline', 'max_length', 'min_query_length'],
  ...['dispatch_action_config', 'trigger_actions_on', 'filter', 'include', 'exclude_bot_users'],
  ...['exclude_external_shared_channels', 'filetypes', 'max_files', 'indent', 'border', 'offset', 'bold', 'italic'],
  ...['strike', 'code', 'user_id', 'channel_id', 'timestamp', 'format', 'fallback'],
]);

/** Ids by which blocks other than fields are found again. */
const keptIds = new Set<string | undefined>([problemBlockId, missingBlockId]);

function rebuildBlock(block: KnownBlock, view: ViewOutput): KnownBlock {
  const built = rebuildPart(block) as KnownBlock;
  if (keptIds.has(block.block_id)) return { ...built, block_id: block.block_id } as KnownBlock;
  if (block.type !== 'input') return built;
  const element = { ...(built as InputBlock).element, ...initialValueOf(block, view) };
  return { ...built, block_id: block.block_id, element } as InputBlock;
}

function rebuildPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(rebuildPart);
  if (typeof part !== 'object' || part === null) return part;
  const properties = Object.entries(part).filter(
    ([name, value]) => ourProperties.has(name) && value !== null && !(name === 'dispatch_action' && value === false),
  );
  return Object.fromEntries(properties.map(([name, value]) => [name, rebuildPart(value)]));
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
