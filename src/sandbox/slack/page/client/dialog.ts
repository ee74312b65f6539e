import type { Props } from './dom.ts';

let origin: HTMLElement | undefined;

/** Called before each render: while no dialog is open, remembers the focused element, to restore the focus later. */
export function rememberFocus(): void {
  const { activeElement } = document;
  if (document.querySelector('dialog') || !(activeElement instanceof HTMLElement)) return;
  if (activeElement !== document.body) origin = activeElement;
}

/**
 * Props of a dialog that covers only the workspace: it traps the focus, restores it on close, and Escape closes it. The
 * browser's own modal dialogs would also cover the panel of what is outside Slack.
 */
export function dialogProps(leave: () => void): Props {
  return {
    open: true,
    'aria-modal': 'true',
    tabindex: '-1',
    mounted: focusFirst,
    leaving: () => queueMicrotask(focusBelow),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        leave();
      } else if (event.key === 'Tab') keepInside(event);
    },
  };
}

/** After a dialog closes: focuses the form below it, or the element that had the focus before. */
function focusBelow(): void {
  const below = document.querySelector('dialog');
  if (below) focusFirst(below);
  else origin?.focus();
}

/** Focuses the first field, or else the confirming button. */
export function focusFirst(dialog: HTMLElement): void {
  const first =
    dialog.querySelector<HTMLElement>('[autofocus]') ??
    dialog.querySelector<HTMLElement>('.modal-body :is(input, textarea)') ??
    dialog.querySelector<HTMLElement>('footer .button:last-child');
  (first ?? dialog).focus();
}

function keepInside(event: KeyboardEvent): void {
  const dialog = event.currentTarget as HTMLElement;
  const all = [...dialog.querySelectorAll<HTMLElement>('a, button, input, textarea, [tabindex="0"]')].filter(
    (one) => one.offsetParent !== null && !(one as HTMLButtonElement).disabled && one.tabIndex >= 0,
  );
  const at = all.indexOf(document.activeElement as HTMLElement);
  const isLeaving = event.shiftKey ? at <= 0 : at === all.length - 1;
  if (!isLeaving) return;
  event.preventDefault();
  all.at(event.shiftKey ? -1 : 0)?.focus();
}
