import { type Content, h, type VNode } from './dom.ts';
import { local, redraw } from './ui.ts';

export interface MenuItem {
  label: string;
  description?: string;
  run: () => void;
}

export interface MenuOptions {
  key: string;
  label: string;
  content: Content;
  class: string;
  items: MenuItem[];
}

/** A button with a menu: arrow keys move, Escape closes. */
export function menuButton({ key, label, content, class: className, items }: MenuOptions): VNode {
  const state = local(`menu ${key}`, () => ({ isOpen: false }));
  const show = (isOpen: boolean) => {
    state.isOpen = isOpen;
    redraw();
  };

  function close(event: Event): void {
    const menu = (event.currentTarget as HTMLElement).closest('.menu-button');
    show(false);
    menu?.querySelector('button')?.focus();
  }

  function handleKey(event: KeyboardEvent): void {
    const list = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=menuitem]')];
    const at = list.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }[event.key];
    if (event.key === 'Escape') close(event);
    else if (next !== undefined) list.at(next % list.length)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return h(
    'span',
    {
      key,
      class: `menu-button ${state.isOpen ? 'open' : ''}`,
      onfocusout: (event: FocusEvent) => {
        if (!(event.currentTarget as HTMLElement).contains(event.relatedTarget as Node)) show(false);
      },
    },
    h(
      'button',
      {
        type: 'button',
        class: className,
        'aria-label': label,
        title: label,
        'aria-haspopup': 'menu',
        'aria-expanded': String(state.isOpen),
        onclick: () => show(!state.isOpen),
      },
      content,
    ),
    state.isOpen &&
      h(
        'ul',
        { class: 'menu', role: 'menu', 'aria-label': label, onkeydown: handleKey, mounted: positionMenu },
        items.map((item) =>
          h(
            'li',
            { role: 'none' },
            h(
              'button',
              {
                type: 'button',
                role: 'menuitem',
                tabindex: '-1',
                onclick: (event: Event) => {
                  close(event);
                  item.run();
                },
              },
              item.label,
              item.description && h('span', { class: 'dim' }, item.description),
            ),
          ),
        ),
      ),
  );
}

/** Opens the menu upwards if there is no room below, and focuses it. */
function positionMenu(list: HTMLElement): void {
  const { bottom } = list.getBoundingClientRect();
  const lowerEdge = list.closest('.scroll')?.getBoundingClientRect().bottom ?? window.innerHeight;
  list.classList.toggle('up', bottom > lowerEdge);
  list.querySelector('button')?.focus();
}
