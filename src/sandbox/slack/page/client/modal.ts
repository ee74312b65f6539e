import { drawBlocks } from './blocks.ts';
import { dialogProps, focusFirst } from './dialog.ts';
import { type Content, h, type VNode } from './dom.ts';
import { icon } from './icons.ts';
import { act, ignoreErrors } from './server.ts';
import type { Modal, State } from './state.ts';
import { local, redraw, ui } from './ui.ts';

interface ModalState {
  isBusy: boolean;
  isClosing: boolean;
  /** The fields and errors of the last render. */
  fields: string;
  errors: string;
}

const stateOf = ({ id }: Modal) =>
  local<ModalState>(`modal ${id}`, () => ({ isBusy: false, isClosing: false, fields: '', errors: '' }));

/** Renders the top modal, which covers the workspace. */
export function drawModal(state: State, modal: Modal): VNode {
  const { id, title, submit, close, surface, below, fillLabel } = modal;
  const modalState = stateOf(modal);
  const requestClose = (how: 'back' | 'close') => {
    if (modalState.isClosing) return; // a second Escape must not close twice
    modalState.isClosing = true;
    const closed = act(how).finally(() => {
      modalState.isClosing = false;
    });
    ignoreErrors(closed);
  };
  const send = () => {
    if (modalState.isBusy || submit === undefined || ui.uploads > 0) return;
    modalState.isBusy = true;
    redraw();
    const sent = act('submit').finally(() => {
      modalState.isBusy = false;
      redraw();
    });
    ignoreErrors(sent);
  };
  return h(
    'div',
    { key: `modal ${id}`, class: 'layer', inert: state.confirmation !== undefined },
    h(
      'dialog',
      {
        ...dialogProps(() => requestClose('close')),
        class: 'modal',
        id: `modal-${id}`,
        'aria-labelledby': `title-${id}`,
      },
      h(
        'form',
        {
          novalidate: true,
          onsubmit: (event: Event) => {
            event.preventDefault();
            send();
          },
          onkeydown: (event: KeyboardEvent) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
          },
        },
        h(
          'div',
          { class: 'modal-header' },
          below > 0 && toolButton('Back', 'back', () => requestClose('back')),
          h('h2', { id: `title-${id}` }, title),
          toolButton('Close', 'close', () => requestClose('close')),
        ),
        h(
          'div',
          { class: 'modal-body scroll', tabindex: '0', role: 'region', 'aria-label': title },
          drawBlocks(surface, state.names, 'h3'),
        ),
        notices(state),
        fillLabel !== undefined && drawFillButton(fillLabel),
        h(
          'div',
          { class: 'modal-footer' },
          h('button', { type: 'button', class: 'button plain', onclick: () => requestClose('back') }, close),
          submit !== undefined &&
            h(
              'button',
              {
                type: 'submit',
                class: 'button primary',
                disabled: ui.uploads > 0,
                'aria-busy': modalState.isBusy && 'true',
              },
              submit,
            ),
        ),
      ),
    ),
  );
}

/** Has a “Sandbox” tag, because the button isn't part of the bot's form. */
function drawFillButton(label: string): VNode {
  const state = local('offer', () => ({ isBusy: false }));
  const fill = () => {
    if (state.isBusy) return;
    state.isBusy = true;
    redraw();
    const filled = act('fill').finally(() => {
      state.isBusy = false;
      redraw();
    });
    ignoreErrors(filled);
  };
  return h(
    'p',
    { class: 'offer' },
    h('span', { class: 'tag' }, 'Sandbox'),
    h('button', { type: 'button', class: 'button plain', 'aria-busy': state.isBusy && 'true', onclick: fill }, label),
  );
}

/**
 * Call after each render. Focuses the first field if the fields are new and none of them has the focus; otherwise, if
 * the errors are new, the first invalid field.
 */
export function updateFocus(modal: Modal): void {
  const { id, surface } = modal;
  const modalState = stateOf(modal);
  const dialog = document.getElementById(`modal-${id}`);
  const fields = surface.blocks.map(({ block_id }) => block_id).join(' ');
  const errors = JSON.stringify(surface.errors);
  if (!dialog || (modalState.fields === fields && modalState.errors === errors)) return;
  if (modalState.fields !== fields && !document.activeElement?.closest('.modal-body')) focusFirst(dialog);
  else if (modalState.errors !== errors) dialog.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  Object.assign(modalState, { fields, errors });
}

/** Renders a confirmation dialog. */
export function drawConfirmation({ confirmation }: State): VNode | false {
  if (!confirmation) return false;
  const { title, text, confirm, deny, isDangerous } = confirmation;
  const answer = (yes: boolean) => () => ignoreErrors(act('answer', { yes }));
  return h(
    'div',
    { key: 'confirmation', class: 'layer' },
    h(
      'dialog',
      {
        ...dialogProps(answer(false)),
        class: 'modal confirmation',
        role: 'alertdialog',
        'aria-labelledby': 'question',
        'aria-describedby': 'question-text',
      },
      h('div', { class: 'modal-header' }, h('h2', { id: 'question' }, title)),
      h('p', { class: 'modal-body', id: 'question-text' }, text),
      h(
        'div',
        { class: 'modal-footer' },
        h('button', { type: 'button', class: 'button plain', onclick: answer(false) }, deny),
        h(
          'button',
          { type: 'button', class: `button ${isDangerous ? 'danger' : 'primary'} solid`, onclick: answer(true) },
          confirm,
        ),
      ),
    ),
  );
}

function notices({ notices: list }: State): Content {
  return list.map((text) => h('p', { class: 'notice', role: 'alert' }, text));
}

function toolButton(label: string, name: 'back' | 'close', run: () => void): VNode {
  return h('button', { type: 'button', class: 'tool', 'aria-label': label, onclick: run }, icon(name));
}
