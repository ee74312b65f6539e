import { drawDestination } from './conversation.ts';
import { rememberFocus } from './dialog.ts';
import { patch } from './dom.ts';
import { setPassed } from './format.ts';
import { drawConfirmation, drawModal, updateFocus } from './modal.ts';
import { act, ignoreErrors, subscribe } from './server.ts';
import { drawSidePanel } from './side-panel.ts';
import { sidebar } from './sidebar.ts';
import type { State } from './state.ts';
import { topBar } from './top-bar.ts';
import { redraw, setRenderer, ui } from './ui.ts';

const people = (document.documentElement.dataset.people ?? '').split(' ');
const page = document.getElementById('page') as HTMLElement;
let state: State | undefined;

function show(next: State): void {
  state = next;
  setPassed(next.outside?.passedMs ?? 0);
  const [first] = next.channels;
  if (!next.destination && first) ignoreErrors(act('open', { destination: first.opens }));
  redraw();
}

function draw(): void {
  if (!state) return;
  document.title = `${state.me.name} · ${state.workspace} · ${state.app.name} sandbox`;
  rememberFocus();
  const parts = [
    topBar(state),
    sidebar(state),
    drawDestination(state),
    drawSidePanel(state),
    state.modal && drawModal(state, state.modal),
    drawConfirmation(state),
  ];
  patch(
    page,
    parts.filter((part) => part !== undefined && part !== false),
  );
  if (state.modal) updateFocus(state.modal);
}

/** Shows the person named in the URL, or else the first. */
function showPerson(): void {
  const named = location.hash.slice(1);
  ui.thread = undefined;
  subscribe(people.includes(named) ? named : (people[0] ?? ''), show);
}

setRenderer(draw);
addEventListener('hashchange', showPerson);
showPerson();
