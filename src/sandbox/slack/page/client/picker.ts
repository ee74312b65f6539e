import { keyOf, sameAs } from './choice.ts';
import { h, type VNode } from './dom.ts';
import type { Element } from './element.ts';
import { icon } from './icons.ts';
import { handleKey, type PickerState, pickerList, search } from './picker-list.ts';
import { act, ignoreErrors } from './server.ts';
import type { Choice } from './state.ts';
import { plainOf } from './text.ts';
import { local, redraw } from './ui.ts';

/** Selects one or several values by typing: options, people, conversations, or the bot's suggestions. */
export function picker(element: Element): VNode {
  const { ref, id, raw, entered, label, describedBy, isInvalid } = element;
  const isMultiple = String(raw.type).startsWith('multi_');
  const state = local<PickerState>(`picker ${id}`, () => ({ isOpen: false, query: '', choices: undefined, active: 0 }));
  const [single] = entered.chosen;

  function close(): void {
    Object.assign(state, { isOpen: false, query: '', choices: undefined });
    redraw();
  }

  function choose(choice: Choice): void {
    close();
    const isChosen = entered.chosen.some((selected) => sameAs(selected, choice));
    const { value } = choice;
    ignoreErrors(
      isMultiple ? act('change', { ref, [isChosen ? 'removed' : 'added']: [value] }) : act('choose', { ref, value }),
    );
  }

  function clear(removed: Choice): void {
    ignoreErrors(isMultiple ? act('change', { ref, removed: [removed.value] }) : act('choose', { ref, value: null }));
  }

  function keydown(event: KeyboardEvent): void {
    if (event.key === 'Backspace' && isMultiple && state.query === '' && entered.chosen.length > 0) {
      const last = entered.chosen.at(-1);
      if (last) clear(last);
    } else if (handleKey(event, state, { open: () => search(element, state, ''), choose, close })) {
      // A key that the list handled must not close or submit the form.
      event.preventDefault();
      event.stopPropagation();
    }
  }

  const inputText = state.isOpen || isMultiple ? state.query : (single?.label ?? '');
  return h(
    'div',
    {
      key: id,
      class: `picker ${isInvalid ? 'invalid' : ''}`,
      onfocusout: (event: FocusEvent) => {
        if (!(event.currentTarget as HTMLElement).contains(event.relatedTarget as Node)) close();
      },
    },
    h(
      'div',
      { class: 'picker-box' },
      isMultiple && entered.chosen.map((choice) => token(choice, () => clear(choice))),
      h('input', {
        id,
        type: 'text',
        role: 'combobox',
        autocomplete: 'off',
        currentValue: inputText,
        placeholder:
          isMultiple && entered.chosen.length > 0 ? '' : plainOf(raw.placeholder) || 'Choose or type to search',
        'aria-label': label,
        'aria-describedby': describedBy,
        'aria-invalid': isInvalid === true && 'true',
        'aria-expanded': String(state.isOpen),
        'aria-controls': `${id}-list`,
        'aria-autocomplete': 'list',
        'aria-activedescendant': state.isOpen && state.choices?.length ? `${id}-${state.active}` : false,
        onclick: (event: Event) => {
          (event.target as HTMLInputElement).select();
          search(element, state, '');
        },
        oninput: (event: Event) => search(element, state, (event.target as HTMLInputElement).value),
        onkeydown: keydown,
      }),
      !isMultiple && single && clearButton(label, () => clear(single)),
      icon('down'),
    ),
    state.isOpen && pickerList(element, state, entered.chosen, choose),
  );
}

function token(choice: Choice, remove: () => void): VNode {
  const button = h(
    'button',
    { type: 'button', 'aria-label': `Remove ${choice.label}`, onclick: remove },
    icon('close'),
  );
  return h('span', { key: keyOf(choice), class: 'token' }, choice.label, button);
}

function clearButton(label: string, clear: () => void): VNode {
  return h('button', { type: 'button', class: 'clear', 'aria-label': `Clear ${label}`, onclick: clear }, icon('close'));
}
