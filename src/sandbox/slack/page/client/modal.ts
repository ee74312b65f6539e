import { drawBlocks } from './blocks.ts';
import { type Content, h, type VNode } from './dom.ts';
import { icon } from './icons.ts';
import { act, quietly } from './server.ts';
import type { Modal, State } from './state.ts';
import { local, redraw } from './ui.ts';

/** The form on top of everything; the browser keeps the focus in it. */
export function drawModal(state: State, { id, title, submit, close, surface, below }: Modal): VNode {
  const busy = local(`modal ${id}`, () => ({ isBusy: false }));
  const send = async () => {
    if (busy.isBusy || submit === undefined) return;
    busy.isBusy = true;
    redraw();
    await act('submit').finally(() => {
      busy.isBusy = false;
      redraw();
    });
    document.querySelector<HTMLElement>('dialog.modal [aria-invalid]')?.focus();
  };
  const leave = (how: 'back' | 'close') => quietly(act(how));
  return h(
    'dialog',
    {
      key: `modal ${id}`,
      class: 'modal',
      'aria-labelledby': `title-${id}`,
      mounted: open,
      leaving: (dialog) => (dialog as HTMLDialogElement).close(),
      oncancel: (event: Event) => {
        event.preventDefault();
        leave('close');
      },
    },
    h(
      'form',
      {
        novalidate: true,
        onsubmit: (event: Event) => {
          event.preventDefault();
          quietly(send());
        },
        onkeydown: (event: KeyboardEvent) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          quietly(send());
        },
      },
      h(
        'header',
        {},
        below > 0 && toolButton('Back', 'back', () => leave('back')),
        h('h2', { id: `title-${id}` }, title),
        toolButton('Close', 'close', () => leave('close')),
      ),
      h(
        'div',
        { class: 'modal-body scroll', tabindex: '0', role: 'region', 'aria-label': title },
        drawBlocks(surface, state.names),
      ),
      notices(state),
      h(
        'footer',
        {},
        h('button', { type: 'button', class: 'button plain', onclick: () => leave('back') }, close),
        submit !== undefined &&
          h('button', { type: 'submit', class: 'button primary', 'aria-busy': busy.isBusy && 'true' }, submit),
      ),
    ),
  );
}

/** A question before an act. */
export function drawConfirmation({ confirmation }: State): VNode | false {
  if (!confirmation) return false;
  const { title, text, confirm, deny, isDangerous } = confirmation;
  const answer = (yes: boolean) => () => quietly(act('answer', { yes }));
  return h(
    'dialog',
    {
      key: 'confirmation',
      class: 'modal confirmation',
      role: 'alertdialog',
      'aria-labelledby': 'question',
      'aria-describedby': 'question-text',
      mounted: open,
      leaving: (dialog) => (dialog as HTMLDialogElement).close(),
      oncancel: (event: Event) => {
        event.preventDefault();
        answer(false)();
      },
    },
    h('header', {}, h('h2', { id: 'question' }, title)),
    h('p', { class: 'modal-body', id: 'question-text' }, text),
    h(
      'footer',
      {},
      h('button', { type: 'button', class: 'button plain', onclick: answer(false) }, deny),
      h(
        'button',
        { type: 'button', class: `button ${isDangerous ? 'danger' : 'primary'} solid`, onclick: answer(true) },
        confirm,
      ),
    ),
  );
}

function notices({ notices: list }: State): Content {
  return list.map((words) => h('p', { class: 'notice', role: 'alert' }, words));
}

function toolButton(label: string, name: 'back' | 'close', run: () => void): VNode {
  return h('button', { type: 'button', class: 'tool', 'aria-label': label, onclick: run }, icon(name));
}

/** The first field gets the focus; without one, the button that goes on. */
function open(dialog: HTMLElement): void {
  (dialog as HTMLDialogElement).showModal();
  const first =
    dialog.querySelector<HTMLElement>('[autofocus]') ??
    dialog.querySelector<HTMLElement>('.modal-body :is(input, textarea)') ??
    dialog.querySelector<HTMLElement>('footer .button:last-child');
  first?.focus();
}
