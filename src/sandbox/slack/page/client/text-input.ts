import { h, type VNode } from './dom.ts';
import type { Element } from './element.ts';
import { commitTyped, type } from './server.ts';
import { plainOf } from './text.ts';

/** A text input with one line or several. */
export function textInput({ ref, id, raw, entered, label, describedBy, isInvalid, sendsImmediately }: Element): VNode {
  const changed = (event: Event) => {
    type(ref, (event.target as HTMLInputElement).value);
    if (event.type === 'change') commitTyped();
  };
  // If the bot gets changes immediately, it gets the complete text, unless the element requests each character.
  const isSentOnChange = sendsImmediately && !sendsEachCharacter(raw);
  const props = {
    key: id,
    id,
    class: 'input',
    name: id,
    value: entered.text,
    placeholder: plainOf(raw.placeholder) || undefined,
    autocomplete: 'off',
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid === true && 'true',
    onchange: changed,
    ...(!isSentOnChange && { oninput: changed }),
  };
  return raw.multiline === true ? h('textarea', { ...props, rows: '4' }) : h('input', { ...props, type: 'text' });
}

function sendsEachCharacter({ dispatch_action_config: config }: Element['raw']): boolean {
  const { trigger_actions_on: triggers } = (config ?? {}) as { trigger_actions_on?: string[] };
  return triggers?.includes('on_character_entered') ?? false;
}
