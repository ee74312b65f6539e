import type { InputBlock } from '@slack/types';
import { type FieldOptions, field, option } from './blocks.ts';

/** Form fields to choose people, channels, days or one of a few explained options. */

/** An option with a line that explains it. */
export interface ExplainedChoice {
  label: string;
  value: string;
  description: string;
}

export function radioField(
  name: string,
  label: string,
  choices: readonly ExplainedChoice[],
  value: string,
  options: FieldOptions = {},
): InputBlock {
  const radioOptions = choices.map((choice) => option(choice.label, choice.value, choice.description));
  const initial = radioOptions.find((choice) => choice.value === value);
  const element = {
    type: 'radio_buttons' as const,
    options: radioOptions,
    initial_option: initial,
  };
  return field(name, label, element, options);
}

export function peopleField(name: string, label: string, people: readonly string[], options: FieldOptions = {}) {
  const element = { type: 'multi_users_select' as const, ...(people.length > 0 ? { initial_users: [...people] } : {}) };
  return field(name, label, element, { optional: true, ...options });
}

export function personField(name: string, label: string, person: string | undefined, options: FieldOptions = {}) {
  const element = { type: 'users_select' as const, initial_user: person };
  return field(name, label, element, options);
}

/** @param day as `YYYY-MM-DD` */
export function dateField(name: string, label: string, day: string | undefined, options: FieldOptions = {}) {
  const element = { type: 'datepicker' as const, initial_date: day };
  return field(name, label, element, options);
}

/** A point in time, in the person's time zone. */
export function timeField(name: string, label: string, seconds: number | undefined, options: FieldOptions = {}) {
  const element = { type: 'datetimepicker' as const, initial_date_time: seconds };
  return field(name, label, element, options);
}

/** Other organisations must not see announcements of confidential files, so shared channels aren't offered. */
const ownChannels = {
  include: ['public' as const, 'private' as const],
  exclude_external_shared_channels: true,
};

const channelFilter = (isPrivate: boolean) =>
  isPrivate ? { ...ownChannels, include: ['private' as const] } : ownChannels;

/** The hint of a channel field, because Slack also offers channels that the bot isn't in. */
export const inviteHint = 'First add me to the channel: type /invite @dropline there.';

/** The hint of a field for the channel of received files. */
export const readersHint =
  'Only members of a private channel see its files. Files in a public one are for everyone who can download.';

export function channelField(
  name: string,
  label: string,
  channel: string | undefined,
  { isPrivate = false, ...options }: FieldOptions & { isPrivate?: boolean } = {},
) {
  const initial = channel === undefined ? {} : { initial_conversation: channel };
  const element = { type: 'conversations_select' as const, filter: channelFilter(isPrivate), ...initial };
  return field(name, label, element, options);
}

export function channelsField(
  name: string,
  label: string,
  channels: readonly string[],
  { isPrivate = false, ...options }: FieldOptions & { isPrivate?: boolean } = {},
) {
  const initial = channels.length > 0 ? { initial_conversations: [...channels] } : {};
  const element = { type: 'multi_conversations_select' as const, filter: channelFilter(isPrivate), ...initial };
  return field(name, label, element, { optional: true, ...options });
}
