import type { InputBlock } from '@slack/types';
import { choiceField, field, option, textField } from '../../../slack/blocks.ts';
import type { Filled } from '../../../slack/form.ts';
import { channelsField, radioField } from '../../../slack/pickers.ts';
import type { AllowedPeople, Choice, FieldValue } from '../table/constructors.ts';
import { definitions, type SettingName } from '../table/definitions.ts';
import { allowedPeopleIn, isList, isPermission, namedFields, namedIn, permissionFields } from './permissions.ts';

interface FieldOptions {
  /** Instead of the one in the table. */
  hint?: string;
  isOffered?: (choice: string) => boolean;
}

/** The form fields of one setting. */
export function fieldsOf(name: SettingName, value: unknown, options: FieldOptions = {}): InputBlock[] {
  const { hint = undefined, toField } = definitions[name];
  const shown = { hint, ...options };
  if (isPermission(name)) return permissionFields(name, value as AllowedPeople, shown.hint);
  if (isList(name)) return namedFields(name, value as string[], shown.hint);
  return [fieldOf(name, toField(value), shown)];
}

function fieldOf(name: SettingName, value: FieldValue, { hint, isOffered = () => true }: FieldOptions): InputBlock {
  const { input, label } = definitions[name];
  const text = typeof value === 'string' ? value : '';
  const list = typeof value === 'string' ? [] : value;
  if (input.kind === 'text') {
    const { isOptional: optional, isLong: multiline, maxLength, placeholder } = input;
    return textField(name, label, { value: text, hint, optional, multiline, maxLength, placeholder });
  }
  if (!('choices' in input)) return channelsField(name, label, list, { hint });
  if (input.kind === 'checks') return checkboxes(name, label, input.choices, list, hint);
  const offered = input.choices.filter((choice) => isOffered(choice.value));
  const explained = offered.filter((choice): choice is Required<Choice> => choice.description !== undefined);
  if (explained.length > 0) return radioField(name, label, explained, text, { hint });
  const choices = offered.map((choice): [string, string] => [choice.label, choice.value]);
  return choiceField(name, label, choices, text, { hint });
}

function checkboxes(
  name: string,
  label: string,
  choices: readonly Choice[],
  ticked: readonly string[],
  hint: string | undefined,
): InputBlock {
  const options = choices.map((choice) => option(choice.label, choice.value));
  const initial = options.filter(({ value = '' }) => ticked.includes(value));
  const element = { type: 'checkboxes', options, ...(initial.length > 0 && { initial_options: initial }) };
  return field(name, label, element as Parameters<typeof field>[2], { optional: true, hint });
}

/** What an admin entered for a setting; undefined if Slack didn't send it. Then the setting stays as it is. */
export function enteredIn(filled: Filled, name: SettingName): FieldValue | undefined {
  const { kind } = definitions[name].input;
  if (isPermission(name)) return allowedPeopleIn(filled, name);
  if (isList(name)) return namedIn(filled, name);
  // One option is always selected. If none was sent, Slack has lost it.
  if (kind === 'choice') return filled.choice(name);
  if (!filled.has(name)) return undefined;
  if (kind === 'checks') return filled.choices(name);
  return kind === 'channels' ? filled.channels(name) : filled.text(name);
}
