import { h, type VNode } from './dom.ts';
import type { Element } from './element.ts';
import { act, commitTyped, ignoreErrors, type } from './server.ts';
import { plainOf } from './text.ts';

const inputTypes: Record<string, string> = {
  email_text_input: 'email',
  url_text_input: 'url',
  number_input: 'number',
  datepicker: 'date',
  timepicker: 'time',
  datetimepicker: 'datetime-local',
};

/** Every typed value: a line, a text, a number, a date. */
export function textInput(element: Element): VNode {
  const { ref, id, raw, entered, label, describedBy, isInvalid, sendsImmediately } = element;
  const kind = String(raw.type);
  const isLong = raw.multiline === true || kind === 'rich_text_input';
  const props = {
    key: id,
    id,
    class: 'input',
    name: id,
    value: kind === 'datetimepicker' ? localMinute(entered.text) : entered.text,
    placeholder: plainOf(raw.placeholder) || undefined,
    autocomplete: 'off',
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid === true && 'true',
    autofocus: raw.focus_on_load === true,
  };
  const input = inputTypes[kind];
  if (input === 'date' || input === 'time' || input === 'datetime-local') {
    const change = (event: Event) => choose(element, (event.target as HTMLInputElement).value);
    return h('input', { ...props, type: input, onchange: change });
  }
  const changed = (event: Event) => {
    const { value } = event.target as HTMLInputElement;
    if (kind === 'rich_text_input') ignoreErrors(act('choose', { ref, value: value === '' ? null : richText(value) }));
    else type(ref, value);
    if (event.type === 'change') commitTyped();
  };
  // Outside forms, the bot gets the complete text, or each character if the element requests that.
  const isSentOnChange = kind === 'rich_text_input' || (sendsImmediately && !sendsEachCharacter(raw));
  const listeners = { onchange: changed, ...(!isSentOnChange && { oninput: changed }) };
  if (isLong) return h('textarea', { ...props, rows: '4', ...listeners });
  // Slack validates the value itself, so the browser must not do it first.
  return h('input', { ...props, type: input === 'number' ? 'text' : (input ?? 'text'), ...listeners });
}

function sendsEachCharacter({ dispatch_action_config: config }: Element['raw']): boolean {
  const { trigger_actions_on: triggers } = (config ?? {}) as { trigger_actions_on?: string[] };
  return triggers?.includes('on_character_entered') ?? false;
}

function choose({ ref, raw }: Element, text: string): void {
  const value = raw.type === 'datetimepicker' ? Date.parse(text) / 1000 : text;
  ignoreErrors(act('choose', { ref, value: text === '' ? null : value }));
}

function localMinute(seconds: string): string {
  if (seconds === '') return '';
  const date = new Date(Number(seconds) * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function richText(text: string): object {
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return { type: 'rich_text', elements: [section] };
}
