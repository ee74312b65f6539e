import type { ViewOutput, ViewStateValue } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';
import { problem, problemBlockId } from './blocks.ts';
import { fieldName, shownId } from './field-ids.ts';

/** What a person filled in, by the names of the fields. */
export interface Filled {
  /** Whether the field was told of at all; one that was emptied was. */
  has(name: string): boolean;
  text(name: string): string;
  /** The value of what was chosen in a menu, or by radio buttons. */
  choice(name: string): string | undefined;
  /** The values of what was chosen in a menu of several, or by checkboxes. */
  choices(name: string): string[];
  /** What each of them was shown as. */
  labels(name: string): Map<string, string>;
  channel(name: string): string | undefined;
  channels(name: string): string[];
  people(name: string): string[];
  files(name: string): { id: string; name: string }[];
}

type FilledView = Pick<ViewOutput, 'blocks' | 'state'>;

export function filledIn(view: FilledView): Filled {
  const typedIn = (name: string) => heldBy(view, idOf(view, name));
  return {
    has: (name) => typedIn(name) !== undefined,
    text: (name) => typedIn(name)?.value?.trim() ?? '',
    choice: (name) => typedIn(name)?.selected_option?.value,
    choices: (name) => (typedIn(name)?.selected_options ?? []).map(({ value }) => value),
    labels: (name) => new Map((typedIn(name)?.selected_options ?? []).map(({ value, text }) => [value, text.text])),
    channel: (name) => typedIn(name)?.selected_conversation ?? typedIn(name)?.selected_channel ?? undefined,
    channels: (name) => typedIn(name)?.selected_conversations ?? typedIn(name)?.selected_channels ?? [],
    people: (name) => typedIn(name)?.selected_users ?? [typedIn(name)?.selected_user].filter((one) => one != null),
    files: (name) => (typedIn(name)?.files ?? []).map(({ id, name: called }) => ({ id, name: called })),
  };
}

/** Values of a block that is not shown are of an earlier form in the same modal. */
function idOf(view: FilledView, name: string): string {
  return shownId(view, name) ?? name;
}

function heldBy({ state }: FilledView, blockId: string): ViewStateValue | undefined {
  return Object.values(state?.values[blockId] ?? {})[0];
}

/** Errors by the names of fields, as Slack takes them: by the ids of their blocks. */
export function errorsIn(view: ViewOutput, errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([name, words]) => [idOf(view, name), words]));
}

/** Fields whose content must not be sent back to Slack. */
const neverRepeated = new Set(['apiKey']);

/** The same form with what was typed and, on top of it, what was wrong with it. */
export function formAgain(view: ViewOutput, sentence: string): ModalView {
  const kept = (view.blocks as KnownBlock[]).filter((block) => block.block_id !== problemBlockId);
  return {
    type: 'modal',
    title: view.title,
    callback_id: view.callback_id,
    private_metadata: view.private_metadata,
    notify_on_close: view.notify_on_close,
    ...(view.close === null ? {} : { close: view.close }),
    ...(view.submit === null ? {} : { submit: view.submit }),
    blocks: [problem(sentence), ...kept.map((block) => retyped(block, view))],
  };
}

function retyped(block: KnownBlock, view: FilledView): KnownBlock {
  if (block.type !== 'input' || block.block_id === undefined) return block;
  const typed = neverRepeated.has(fieldName(block.block_id)) ? undefined : heldBy(view, block.block_id);
  const initial = typed === undefined ? {} : initialOf(typed);
  const bare = Object.entries(block.element).filter(([key]) => !key.startsWith('initial_'));
  return { ...block, element: { ...Object.fromEntries(bare), ...initial } } as KnownBlock;
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
  const isGiven = (value: unknown) =>
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(pairs.filter(([, value]) => isGiven(value)));
}

export function hasField(view: ViewOutput, name: string): boolean {
  return shownId(view, name) !== undefined;
}
