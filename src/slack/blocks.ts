import type {
  ActionsBlock,
  Button,
  ConfirmationDialog,
  ContextBlock,
  Datepicker,
  DividerBlock,
  HeaderBlock,
  InputBlock,
  KnownBlock,
  Option,
  Overflow,
  PlainTextElement,
  RichTextBlock,
  RichTextElement,
  SectionBlock,
} from '@slack/types';
import type { ErrorLink } from '../lib/errors.ts';
import { limits, truncateText } from './limits.ts';

/**
 * Builders for Slack's blocks. All text is shown literally: as plain text, or as rich text elements, in which Slack
 * parses no mentions, links or markup. There is deliberately no builder for mrkdwn.
 */

/** Shortens a text and removes bidi control characters, which could reorder the rest of the line. */
const displayText = (text: string, maxLength: number = limits.text): string =>
  truncateText(text.replace(/[\u202a-\u202e\u2066-\u2069]/g, ''), maxLength);

export const plain = (text: string, maxLength: number = limits.text): PlainTextElement => ({
  type: 'plain_text',
  text: displayText(text, maxLength) || ' ',
  emoji: false,
});

/** A piece of a line: literal text, or one formatted element. */
export type Piece =
  | string
  | { bold: string }
  | { code: string }
  | { user: string }
  | { channel: string }
  | { link: string; text: string }
  | { seconds: number; format: string };

export function line(...pieces: Piece[]): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: elementsOf(pieces) }] };
}

/** A button to the page where a person can fix the error, if there is one. */
export function linkBlocks(link: ErrorLink | undefined): Blocks {
  return link === undefined ? [] : [actions(button(link.text, 'link.remedy', { url: link.url }))];
}

/** A time, shown in the reader's own time zone. */
export function moment(time: Date | number, { withAge = false } = {}): Piece {
  const seconds = typeof time === 'number' ? time : Math.floor(time.getTime() / 1000);
  return { seconds, format: `{date_short_pretty} at {time}${withAge ? ' ({ago})' : ''}` };
}

/** Date and time for use after “on”. Never “today”, because “on today” is wrong. */
export function dateAndTime(time: Date | number): Piece {
  const seconds = typeof time === 'number' ? time : Math.floor(time.getTime() / 1000);
  return { seconds, format: '{date_short} at {time}' };
}

export function list(items: readonly Piece[][], style: 'bullet' | 'ordered' = 'bullet'): RichTextBlock {
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_list',
        style,
        elements: items.map((pieces) => ({ type: 'rich_text_section', elements: elementsOf(pieces) })),
      },
    ],
  };
}

const maxInList = 40;

/** A list of any length, split into several blocks. */
export function wholeList(items: readonly Piece[][]): RichTextBlock[] {
  const starts = Array.from({ length: Math.ceil(items.length / maxInList) }, (_, index) => index * maxInList);
  return starts.map((start) => list(items.slice(start, start + maxInList)));
}

function elementsOf(pieces: readonly Piece[]): RichTextElement[] {
  return pieces.map(elementOf).filter((element) => element.type !== 'text' || element.text !== '');
}

function elementOf(piece: Piece): RichTextElement {
  if (typeof piece === 'string') return { type: 'text', text: displayText(piece) };
  if ('bold' in piece) return { type: 'text', text: displayText(piece.bold), style: { bold: true } };
  if ('code' in piece) return { type: 'text', text: displayText(piece.code), style: { code: true } };
  if ('user' in piece) return { type: 'user', user_id: piece.user };
  if ('channel' in piece) return { type: 'channel', channel_id: piece.channel };
  if ('link' in piece) return { type: 'link', url: piece.link, text: displayText(piece.text) };
  const { seconds, format } = piece;
  return { type: 'date', timestamp: seconds, format, fallback: new Date(seconds * 1000).toISOString() };
}

export const header = (text: string): HeaderBlock => ({ type: 'header', text: plain(text, limits.headerText) });
export const divider = (): DividerBlock => ({ type: 'divider' });
export const note = (text: string): ContextBlock => ({ type: 'context', elements: [plain(text, 2_000)] });

export function section(text: string, accessory?: Button | Overflow): SectionBlock {
  return { type: 'section', text: plain(text), accessory };
}

/** An error message at the top of a form. */
export const problemBlockId = 'problem';
/** Recipients of a form who aren't contacts of the chosen account. */
export const missingBlockId = 'missing';
export const problem = (message: string): SectionBlock => ({
  ...section(`⚠️ ${message}`),
  block_id: problemBlockId,
});

export interface ButtonOptions {
  value?: string;
  style?: 'primary' | 'danger';
  /** A dialog that asks the person to confirm the click. Its button is red too if the style is `danger`. */
  confirm?: ConfirmationDialog;
  /** The text for screen readers, which says more than the visible label. */
  accessibilityLabel?: string;
  url?: string;
}

export function button(
  label: string,
  action: string,
  { value, style, accessibilityLabel, confirm, url }: ButtonOptions = {},
): Button {
  return {
    type: 'button',
    text: plain(label, limits.buttonText),
    action_id: action,
    value,
    style,
    ...(accessibilityLabel === undefined
      ? {}
      : { accessibility_label: displayText(accessibilityLabel, limits.accessibilityLabel) }),
    confirm: confirm && style === 'danger' ? { ...confirm, style } : confirm,
    url,
  };
}

export function confirmation(title: string, text: string, confirm: string, deny = 'Cancel'): ConfirmationDialog {
  return {
    title: plain(title, limits.confirmTitle),
    text: plain(text, limits.confirmText),
    confirm: plain(confirm, limits.confirmButton),
    deny: plain(deny, limits.confirmButton),
  };
}

export const actions = (...elements: ActionsBlock['elements']): ActionsBlock => ({ type: 'actions', elements });

/** A button-like element that opens a calendar. The click's value is the date, like `2030-12-24`. */
export const datePicker = (placeholder: string, action: string): Datepicker => ({
  type: 'datepicker',
  action_id: action,
  placeholder: plain(placeholder, limits.placeholder),
});

export const option = (label: string, value: string, description?: string): Option =>
  ({
    text: plain(label, limits.optionText),
    value,
    description: description === undefined ? undefined : plain(description, limits.optionText),
  }) as Option;

/** An overflow menu. Slack accepts no `accessibility_label` for it. */
export function menu(action: string, options: [label: string, value: string][]): Overflow {
  const menuOptions = options.map(([label, value]) => option(label, value));
  return { type: 'overflow', action_id: action, options: menuOptions as Overflow['options'] };
}

export interface FieldOptions {
  hint?: string;
  optional?: boolean;
  /** Calls the form route's `entered` for each change. Slack doesn't send the values when a form is closed. */
  reportsEntries?: boolean;
}

/** A form field. Its block and its element both have the field's name, which errors and values refer to. */
export function field(
  name: string,
  label: string,
  element: Omit<InputBlock['element'], 'action_id'>,
  options: FieldOptions = {},
): InputBlock {
  const { hint, optional = false, reportsEntries = false } = options;
  return {
    type: 'input',
    block_id: name,
    label: plain(label, limits.label),
    element: { ...element, action_id: name } as InputBlock['element'],
    optional,
    ...(reportsEntries ? { dispatch_action: true } : {}),
    hint: hint === undefined ? undefined : plain(hint, limits.label),
  };
}

export interface TextFieldOptions extends FieldOptions {
  value?: string;
  placeholder?: string;
  multiline?: boolean;
  maxLength?: number;
}

const atEachCharacter: ['on_character_entered'] = ['on_character_entered'];

export function textField(name: string, label: string, options: TextFieldOptions = {}): InputBlock {
  const { value, placeholder, multiline = false, maxLength = limits.inputLength } = options;
  const element = {
    type: 'plain_text_input' as const,
    multiline,
    max_length: maxLength,
    // Slack's default is the Enter key, which inserts a line break in most of these fields.
    ...(options.reportsEntries === true ? { dispatch_action_config: { trigger_actions_on: atEachCharacter } } : {}),
    ...(value ? { initial_value: truncateText(value, maxLength) } : {}),
    placeholder: placeholder === undefined ? undefined : plain(placeholder, limits.placeholder),
  };
  return field(name, label, element, options);
}

export function choiceField(
  name: string,
  label: string,
  choices: [label: string, value: string][],
  value?: string,
  options: FieldOptions = {},
): InputBlock {
  const selectOptions = choices.map(([text, id]) => option(text, id));
  const initial = selectOptions.find((choice) => choice.value === value);
  const element = {
    type: 'static_select' as const,
    options: selectOptions,
    initial_option: initial,
  };
  return field(name, label, element, options);
}

/** A multi-select with suggestions from the bot. The `options` route with the field's name provides them. */
export function choicesField(
  name: string,
  label: string,
  initial: readonly Option[] = [],
  { placeholder, ...options }: FieldOptions & { placeholder?: string } = {},
): InputBlock {
  const element = {
    type: 'multi_external_select' as const,
    min_query_length: 0,
    ...(initial.length === 0 ? {} : { initial_options: initial.slice(0, limits.options) }),
    placeholder: placeholder === undefined ? undefined : plain(placeholder, limits.placeholder),
  };
  return field(name, label, element, options);
}

export type Blocks = KnownBlock[];
