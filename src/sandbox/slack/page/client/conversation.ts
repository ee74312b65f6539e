import { drawBlocks } from './blocks.ts';
import { composer, draftOf, takeFiles } from './composer.ts';
import { type Content, h, type VNode } from './dom.ts';
import { icon } from './icons.ts';
import { messageList } from './messages.ts';
import { act, quietly } from './server.ts';
import type { Conversation, Home, State } from './state.ts';
import { local, redraw, ui } from './ui.ts';

/** The middle of the page: the conversation or Home tab that the person views. */
export function drawPlace(state: State): VNode {
  const { place } = state;
  if (!place) return h('main', { class: 'middle' });
  return place.kind === 'home' ? drawHome(state, place) : drawConversation(state, place);
}

/** Whether a modal or dialog is open, so that nothing below it can be used. */
export function isCovered({ modal, confirmation }: State): boolean {
  return modal !== undefined || confirmation !== undefined;
}

function drawHome(state: State, { surface }: Home): VNode {
  return h(
    'main',
    { class: 'middle', inert: isCovered(state) },
    heading(state, h('h1', {}, state.app.name), true),
    h(
      'div',
      { class: 'home scroll', tabindex: '0', role: 'region', 'aria-label': `Home of ${state.app.name}` },
      surface
        ? h('div', { class: 'home-blocks' }, drawBlocks(surface, state.names))
        : h('p', { class: 'dim' }, 'There is nothing here yet.'),
    ),
  );
}

function drawConversation(state: State, place: Conversation): VNode {
  const drop = local(`drop ${place.id}`, () => ({ isOver: false }));
  const key = `${state.me.id} ${place.id}`;
  const over = (isOver: boolean) => (event: DragEvent) => {
    if (place.closed !== undefined) return;
    event.preventDefault();
    drop.isOver = isOver;
    redraw();
    if (event.type === 'drop') quietly(takeFiles(draftOf(key), [...(event.dataTransfer?.files ?? [])]));
  };
  const isChannel = place.title.startsWith('#');
  const title = h('h1', {}, place.title);
  return h(
    'main',
    {
      class: `middle ${drop.isOver ? 'over' : ''}`,
      inert: isCovered(state),
      ondragover: over(true),
      ondragleave: over(false),
      ondrop: over(false),
    },
    heading(state, [title, h('span', { class: 'topic' }, place.topic)], place.isApp),
    messageList(
      state,
      `list ${place.id}`,
      `Messages in ${place.title}`,
      place.messages.filter(({ parent }) => parent === undefined),
    ),
    notices(state),
    place.closed === undefined
      ? composer(state, key, `Message ${isChannel ? '' : 'to '}${place.title}`)
      : closedLine(state, place),
  );
}

function heading(state: State, title: Content, isApp: boolean): VNode {
  return h(
    'header',
    { class: 'heading' },
    h(
      'button',
      {
        type: 'button',
        class: 'tool only-narrow',
        'aria-label': 'Channels and people',
        onclick: () => {
          ui.drawer = ui.drawer === 'places' ? undefined : 'places';
          redraw();
        },
      },
      icon('menu'),
    ),
    title,
    isApp && tabs(state),
    h(
      'button',
      {
        type: 'button',
        class: 'tool only-medium',
        title: 'The outside world',
        'aria-label': 'The outside world',
        onclick: () => {
          ui.thread = undefined;
          ui.drawer = ui.drawer === 'beside' ? undefined : 'beside';
          redraw();
        },
      },
      icon('globe'),
    ),
  );
}

function tabs({ app, place }: State): VNode {
  const tab = (label: string, opens: string, isCurrent: boolean) =>
    h(
      'button',
      {
        type: 'button',
        'aria-current': isCurrent && 'page',
        onclick: () => quietly(act('open', { place: opens })),
      },
      label,
    );
  return h(
    'nav',
    { class: 'tabs', 'aria-label': `${app.name}` },
    app.hasHome && tab('Home', `Home of ${app.name}`, place?.kind === 'home'),
    tab('Messages', app.name, place?.kind === 'conversation'),
  );
}

/** Slack's own error messages. */
function notices({ notices: list }: State): Content {
  return list.map((words) =>
    h(
      'p',
      { class: 'notice', role: 'alert' },
      words,
      h(
        'button',
        { type: 'button', class: 'tool', 'aria-label': 'Dismiss', onclick: () => quietly(act('dismiss')) },
        icon('close'),
      ),
    ),
  );
}

function closedLine({ me }: State, { closed, title }: Conversation): VNode {
  const words = {
    archived: `${title} is archived.`,
    'not-a-member': `${me.name} only looks into ${title}.`,
    'read-only': 'This app does not read messages.',
  }[closed ?? 'archived'];
  const join = h(
    'button',
    { type: 'button', class: 'button primary', onclick: () => quietly(act('join')) },
    `Join ${title}`,
  );
  return h('div', { class: 'closed' }, h('p', {}, words), closed === 'not-a-member' && join);
}
