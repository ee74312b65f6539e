import { drawBeside } from './beside.ts';
import { drawDestination } from './conversation.ts';
import { rememberFocus } from './dialog.ts';
import { h, patch, type VNode } from './dom.ts';
import { drawConfirmation, drawModal } from './modal.ts';
import { act, follow, quietly } from './server.ts';
import { sidebar } from './sidebar.ts';
import type { State } from './state.ts';
import { topBar } from './top-bar.ts';
import { drawWith, redraw, ui } from './ui.ts';

const people = (document.documentElement.dataset.people ?? '').split(' ');
const page = document.getElementById('page') as HTMLElement;
let state: State | undefined;

function show(next: State): void {
  state = next;
  const [first] = next.channels;
  if (!next.destination && first) quietly(act('open', { destination: first.opens }));
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
    drawBeside(state),
    state.modal && drawModal(state, state.modal),
    drawConfirmation(state),
    ui.toast !== '' && drawToast(ui.toast),
  ];
  patch(
    page,
    parts.filter((part) => part !== undefined && part !== false),
  );
}

/** On top of everything else. */
function drawToast(words: string): VNode {
  return h(
    'p',
    { key: words, class: 'toast', role: 'alert', popover: 'manual', mounted: (line) => line.showPopover() },
    words,
  );
}

/** Shows the person named in the URL, or else the first. */
function play(): void {
  const named = location.hash.slice(1);
  ui.thread = undefined;
  follow(people.includes(named) ? named : (people[0] ?? ''), show);
}

drawWith(draw);
addEventListener('hashchange', play);
play();
