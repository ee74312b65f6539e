import type { ViewOutput, ViewStateValue } from '@slack/bolt';
import { shownField, shownId } from './field-ids.ts';

/** What a person entered, by field name. */
export interface Filled {
  /** Whether Slack reported the field. It reports cleared fields too. */
  has(name: string): boolean;
  text(name: string): string;
  /** The value chosen in a menu or with radio buttons. */
  choice(name: string): string | undefined;
  /** The values chosen in a multi-select or with checkboxes. */
  choices(name: string): string[];
  /** The values of a multi-select that were chosen when the form was opened. */
  initialChoices(name: string): string[];
  /** The label of each chosen value. */
  labels(name: string): Map<string, string>;
  channel(name: string): string | undefined;
  channels(name: string): string[];
  people(name: string): string[];
  /** The chosen day, as `YYYY-MM-DD`. */
  date(name: string): string | undefined;
  /** The chosen time, in seconds since 1970. */
  time(name: string): number | undefined;
  files(name: string): { id: string; name: string }[];
}

export type FilledView = Pick<ViewOutput, 'blocks' | 'state'>;

export function filledIn(view: FilledView): Filled {
  const entered = (name: string) => stateValueOf(view, idOf(view, name));
  return {
    has: (name) => entered(name) !== undefined,
    text: (name) => entered(name)?.value?.trim() ?? '',
    choice: (name) => entered(name)?.selected_option?.value,
    choices: (name) => (entered(name)?.selected_options ?? []).map(({ value }) => value),
    initialChoices: (name) => initialChoicesIn(view, name),
    labels: (name) => new Map((entered(name)?.selected_options ?? []).map(({ value, text }) => [value, text.text])),
    channel: (name) => entered(name)?.selected_conversation ?? entered(name)?.selected_channel ?? undefined,
    channels: (name) => entered(name)?.selected_conversations ?? entered(name)?.selected_channels ?? [],
    people: (name) =>
      entered(name)?.selected_users ?? [entered(name)?.selected_user].filter((person) => person != null),
    date: (name) => entered(name)?.selected_date ?? undefined,
    time: (name) => entered(name)?.selected_date_time ?? undefined,
    files: (name) => (entered(name)?.files ?? []).map(({ id, name: fileName }) => ({ id, name: fileName })),
  };
}

/** The id of the field's block in the current view. The state can also have values of earlier forms in the modal. */
function idOf(view: FilledView, name: string): string {
  return shownId(view, name) ?? name;
}

function initialChoicesIn(view: FilledView, name: string): string[] {
  const { element } = shownField(view, name) ?? {};
  const options = element?.type === 'multi_static_select' ? element.initial_options : undefined;
  return (options ?? []).flatMap(({ value }) => value ?? []);
}

export function stateValueOf({ state }: FilledView, blockId: string): ViewStateValue | undefined {
  return Object.values(state?.values[blockId] ?? {})[0];
}

/** Converts errors by field name into errors by block id, as Slack expects. */
export function errorsIn(view: ViewOutput, errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([name, message]) => [idOf(view, name), message]));
}

export function hasField(view: ViewOutput, name: string): boolean {
  return shownId(view, name) !== undefined;
}
