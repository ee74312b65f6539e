import { sameAs } from './choice.ts';
import { h, type VNode } from './dom.ts';
import type { Element } from './element.ts';
import { act } from './server.ts';
import type { Choice } from './state.ts';
import { redraw } from './ui.ts';

export interface PickerState {
  isOpen: boolean;
  query: string;
  /** Undefined while loading. */
  choices: Choice[] | undefined;
  active: number;
}

/** Loads the options for the typed text. They are ignored if the text has changed or the list was closed since. */
export function search({ ref, raw }: Element, state: PickerState, query: string): void {
  const minLength = minQueryLength(raw);
  Object.assign(state, { isOpen: true, query, active: 0, choices: query.length < minLength ? [] : undefined });
  redraw();
  if (query.length < minLength) return;
  act('options', { ref, words: query }).then(
    (choices) => {
      if (state.query !== query || !state.isOpen) return;
      state.choices = choices as Choice[];
      redraw();
    },
    () => {
      state.choices = [];
      redraw();
    },
  );
}

function minQueryLength({ type, min_query_length: minLength = 3 }: Record<string, unknown>): number {
  return type === 'multi_external_select' ? Number(minLength) : 0;
}

interface PickerActions {
  open(): void;
  choose(choice: Choice): void;
  close(): void;
}

/** Arrow down opens the list, arrow keys move in it, Enter selects, Escape closes. True if the key was handled. */
export function handleKey({ key }: KeyboardEvent, state: PickerState, { open, choose, close }: PickerActions): boolean {
  const { isOpen, choices = [], active } = state;
  if (!isOpen) {
    if (key === 'ArrowDown') open();
    return key === 'ArrowDown';
  }
  const chosen = choices[active];
  if (key === 'Escape') close();
  else if (key === 'Enter') chosen && choose(chosen);
  else if (key === 'ArrowDown') state.active = Math.min(active + 1, choices.length - 1);
  else if (key === 'ArrowUp') state.active = Math.max(active - 1, 0);
  else return false;
  redraw();
  return true;
}

export function pickerList(
  { id, raw, label }: Element,
  { choices, active, query }: PickerState,
  chosen: readonly Choice[],
  choose: (choice: Choice) => void,
): VNode {
  const minLength = minQueryLength(raw);
  const status =
    query.length < minLength
      ? `Type at least ${minLength} characters`
      : choices === undefined
        ? 'Searching…'
        : choices.length === 0
          ? 'No results'
          : undefined;
  return h(
    'div',
    { class: 'offers', mounted: (list) => list.scrollIntoView({ block: 'nearest' }) },
    status !== undefined && h('p', { class: 'dim', role: 'status' }, status),
    h(
      'ul',
      { role: 'listbox', id: `${id}-list`, 'aria-label': label },
      choices?.map((choice, index) =>
        h(
          'li',
          {
            id: `${id}-${index}`,
            role: 'option',
            class: index === active ? 'active' : '',
            'aria-selected': String(chosen.some((selected) => sameAs(selected, choice))),
            // Not onclick: the field loses the focus before the click, and that closes the list.
            onmousedown: (event: Event) => {
              event.preventDefault();
              choose(choice);
            },
          },
          choice.label,
          choice.description && h('span', { class: 'dim' }, choice.description),
        ),
      ),
    ),
  );
}
