import type { ViewOutput, ViewStateValue } from '@slack/bolt';
import { shownId } from './field-ids.ts';

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

export type FilledView = Pick<ViewOutput, 'blocks' | 'state'>;

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

export function heldBy({ state }: FilledView, blockId: string): ViewStateValue | undefined {
  return Object.values(state?.values[blockId] ?? {})[0];
}

/** Errors by the names of fields, as Slack takes them: by the ids of their blocks. */
export function errorsIn(view: ViewOutput, errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([name, words]) => [idOf(view, name), words]));
}

export function hasField(view: ViewOutput, name: string): boolean {
  return shownId(view, name) !== undefined;
}
