import type { ViewOutput, ViewStateValue } from '@slack/bolt';
import { shownId } from './field-ids.ts';

/** What a person entered, by field name. */
export interface Filled {
  /** Whether Slack reported the field at all. A cleared field is reported. */
  has(name: string): boolean;
  text(name: string): string;
  /** The value chosen in a menu or with radio buttons. */
  choice(name: string): string | undefined;
  /** The values chosen in a multi-select or with checkboxes. */
  choices(name: string): string[];
  /** The label of each chosen value. */
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

/** The visible block's id: values of other blocks belong to an earlier form in the same modal. */
function idOf(view: FilledView, name: string): string {
  return shownId(view, name) ?? name;
}

export function heldBy({ state }: FilledView, blockId: string): ViewStateValue | undefined {
  return Object.values(state?.values[blockId] ?? {})[0];
}

/** Converts errors by field name into errors by block id, as Slack expects. */
export function errorsIn(view: ViewOutput, errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([name, words]) => [idOf(view, name), words]));
}

export function hasField(view: ViewOutput, name: string): boolean {
  return shownId(view, name) !== undefined;
}
