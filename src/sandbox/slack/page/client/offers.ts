import { h, type VNode } from './dom.ts';
import type { Element } from './elements.ts';
import { sameAs } from './picker.ts';
import { act } from './server.ts';
import type { Choice } from './state.ts';
import { redraw } from './ui.ts';

export interface PickerState {
  isOpen: boolean;
  words: string;
  /** Undefined while loading. */
  offers: Choice[] | undefined;
  active: number;
}

/** Loads the options for the typed text. A response is ignored if the text has changed since. */
export function search({ ref, raw }: Element, state: PickerState, words: string): void {
  const least = raw.type === 'external_select' || raw.type === 'multi_external_select' ? leastOf(raw) : 0;
  Object.assign(state, { isOpen: true, words, active: 0, offers: words.length < least ? [] : undefined });
  redraw();
  if (words.length < least) return;
  act('offers', { ref, words }).then(
    (offers) => {
      if (state.words !== words || !state.isOpen) return;
      state.offers = offers as Choice[];
      redraw();
    },
    () => {
      state.offers = [];
      redraw();
    },
  );
}

function leastOf({ min_query_length: least = 3 }: Record<string, unknown>): number {
  return Number(least);
}

interface Steps {
  open(): void;
  choose(choice: Choice): void;
  close(): void;
}

/** Arrow keys move, Enter selects, Escape closes. Returns true if the key was handled. */
export function walk({ key }: KeyboardEvent, state: PickerState, { open, choose, close }: Steps): boolean {
  const { isOpen, offers = [], active } = state;
  if (!isOpen) {
    if (key === 'ArrowDown') open();
    return key === 'ArrowDown';
  }
  const chosen = offers[active];
  if (key === 'Escape') close();
  else if (key === 'Enter') chosen && choose(chosen);
  else if (key === 'ArrowDown') state.active = Math.min(active + 1, offers.length - 1);
  else if (key === 'ArrowUp') state.active = Math.max(active - 1, 0);
  else return false;
  redraw();
  return true;
}

export function offerList(
  { id, raw, label }: Element,
  { offers, active, words }: PickerState,
  chosen: readonly Choice[],
  choose: (choice: Choice) => void,
): VNode {
  const least = String(raw.type).endsWith('external_select') ? leastOf(raw) : 0;
  const said =
    words.length < least
      ? `Type ${least} characters or more`
      : offers === undefined
        ? 'Looking …'
        : offers.length === 0
          ? 'Nothing found'
          : undefined;
  return h(
    'div',
    { class: 'offers', mounted: (list) => list.scrollIntoView({ block: 'nearest' }) },
    said !== undefined && h('p', { class: 'dim', role: 'status' }, said),
    h(
      'ul',
      { role: 'listbox', id: `${id}-list`, 'aria-label': label },
      offers?.map((choice, index) =>
        h(
          'li',
          {
            id: `${id}-${index}`,
            role: 'option',
            class: index === active ? 'active' : '',
            'aria-selected': String(chosen.some((one) => sameAs(one, choice))),
            // On mousedown: a click would come after the field has lost the focus and closed the list.
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
