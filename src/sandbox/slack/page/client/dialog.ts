import type { Props } from './dom.ts';

let lastFocused: HTMLElement | undefined;

/** Called before each render: remembers the focused element while no dialog is open, to restore the focus later. */
export function rememberFocus(): void {
  const { activeElement } = document;
  if (document.querySelector('dialog') || !(activeElement instanceof HTMLElement)) return;
  if (activeElement !== document.body) lastFocused = activeElement;
}

/**
 * Props of a dialog that covers only the workspace: it traps the focus, restores it on close, and Escape closes it. The
 * browser's own modal dialogs would also cover the panel “Outside Slack”.
 */
export function dialogProps(close: () => void): Props {
  return {
    open: true,
    'aria-modal': 'true',
    tabindex: '-1',
    mounted: focusFirst,
    beforeRemove: () => queueMicrotask(focusBelow),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        close();
      } else if (event.key === 'Tab') trapFocus(event);
    },
  };
}

/** After a dialog closes: focuses the form below it, or the element that had the focus before. */
function focusBelow(): void {
  const below = document.querySelector('dialog');
  if (below) focusFirst(below);
  else lastFocused?.focus();
}

/** Focuses the first field, or else the last button, or else the dialog itself. */
export function focusFirst(dialog: HTMLElement): void {
  const first =
    dialog.querySelector<HTMLElement>('.modal-body :is(input, textarea)') ??
    dialog.querySelector<HTMLElement>('.modal-footer .button:last-child');
  (first ?? dialog).focus();
}

function trapFocus(event: KeyboardEvent): void {
  const dialog = event.currentTarget as HTMLElement;
  const focusable = [...dialog.querySelectorAll<HTMLElement>('a, button, input, textarea, [tabindex="0"]')].filter(
    (element) => element.offsetParent !== null && !(element as HTMLButtonElement).disabled && element.tabIndex >= 0,
  );
  const at = focusable.indexOf(document.activeElement as HTMLElement);
  const isAtEdge = event.shiftKey ? at <= 0 : at === focusable.length - 1;
  if (!isAtEdge) return;
  event.preventDefault();
  focusable.at(event.shiftKey ? -1 : 0)?.focus();
}
