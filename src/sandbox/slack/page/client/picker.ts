import { h, type VNode } from './dom.ts';
import type { Element } from './elements.ts';
import { icon } from './icons.ts';
import { offerList, type PickerState, search, walk } from './offers.ts';
import { act, quietly } from './server.ts';
import type { Choice, Json } from './state.ts';
import { plainOf } from './text.ts';
import { local, redraw, toast } from './ui.ts';

/** Selects one or several values by typing: options, people, conversations, or the bot's suggestions. */
export function picker(element: Element): VNode {
  const { ref, id, raw, held, label, describedBy, isInvalid } = element;
  const isMany = String(raw.type).startsWith('multi_');
  const state = local<PickerState>(`picker ${id}`, () => ({ isOpen: false, words: '', offers: undefined, active: 0 }));
  const [only] = held.chosen;
  const values = held.chosen.map(({ value }) => value);

  function close(): void {
    Object.assign(state, { isOpen: false, words: '', offers: undefined });
    redraw();
  }

  function choose(choice: Choice): void {
    close();
    const isChosen = held.chosen.some((one) => sameAs(one, choice));
    const most = Number(raw.max_selected_items ?? Number.POSITIVE_INFINITY);
    if (isMany && !isChosen && values.length >= most) {
      toast(`No more than ${most} can be chosen.`);
      return;
    }
    const many = isChosen ? values.filter((value) => !sameAs({ value }, choice)) : [...values, choice.value];
    quietly(act('choose', { ref, value: isMany ? many : choice.value }));
  }

  function clear(gone: Choice): void {
    quietly(act('choose', { ref, value: isMany ? values.filter((value) => value !== gone.value) : null }));
  }

  function keydown(event: KeyboardEvent): void {
    if (event.key === 'Backspace' && isMany && state.words === '' && held.chosen.length > 0) {
      const last = held.chosen.at(-1);
      if (last) clear(last);
    } else if (walk(event, state, { open: () => search(element, state, ''), choose, close })) {
      // A key that the list handled must not close or submit the form.
      event.preventDefault();
      event.stopPropagation();
    }
  }

  const shown = state.isOpen || isMany ? state.words : (only?.label ?? '');
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
      isMany && held.chosen.map((choice) => token(choice, () => clear(choice))),
      h('input', {
        id,
        type: 'text',
        role: 'combobox',
        autocomplete: 'off',
        shows: shown,
        placeholder: isMany && held.chosen.length > 0 ? '' : plainOf(raw.placeholder) || 'Choose, or type to search',
        'aria-label': label,
        'aria-describedby': describedBy,
        'aria-invalid': isInvalid === true && 'true',
        'aria-expanded': String(state.isOpen),
        'aria-controls': `${id}-list`,
        'aria-autocomplete': 'list',
        'aria-activedescendant': state.isOpen && state.offers?.length ? `${id}-${state.active}` : false,
        onclick: (event: Event) => {
          (event.target as HTMLInputElement).select();
          search(element, state, '');
        },
        oninput: (event: Event) => search(element, state, (event.target as HTMLInputElement).value),
        onkeydown: keydown,
      }),
      !isMany && only && clearButton(label, () => clear(only)),
      icon('down'),
    ),
    state.isOpen && offerList(element, state, held.chosen, choose),
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

export function keyOf({ value }: Pick<Choice, 'value'>): string {
  return typeof value === 'object' && value !== null ? String((value as Json).value) : String(value);
}

export function sameAs(one: Pick<Choice, 'value'>, other: Pick<Choice, 'value'>): boolean {
  return keyOf(one) === keyOf(other);
}
