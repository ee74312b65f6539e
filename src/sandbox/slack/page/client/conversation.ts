import { drawBlocks } from './blocks.ts';
import { addFiles, composer, draftOf } from './composer.ts';
import { type Content, h, type VNode } from './dom.ts';
import { icon } from './icons.ts';
import { messageList } from './messages.ts';
import { act, ignoreErrors } from './server.ts';
import type { Conversation, Home, State } from './state.ts';
import { local, redraw, ui } from './ui.ts';

/** The middle of the page: the conversation or Home tab that the person views. */
export function drawDestination(state: State): VNode {
  const { destination } = state;
  if (!destination) return h('main', { class: 'middle' });
  return destination.kind === 'home' ? drawHome(state, destination) : drawConversation(state, destination);
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
        : h('p', { class: 'dim' }, 'Nothing here yet.'),
    ),
  );
}

function drawConversation(state: State, destination: Conversation): VNode {
  const dragState = local(`drop ${destination.id}`, () => ({ isOver: false }));
  const key = `${state.me.id} ${destination.id}`;
  const dragHandler = (isOver: boolean) => (event: DragEvent) => {
    if (destination.closed !== undefined) return;
    event.preventDefault();
    dragState.isOver = isOver;
    redraw();
    if (event.type === 'drop') ignoreErrors(addFiles(draftOf(key), [...(event.dataTransfer?.files ?? [])]));
  };
  const isChannel = destination.title.startsWith('#');
  const title = h('h1', {}, destination.title);
  return h(
    'main',
    {
      class: `middle ${dragState.isOver ? 'over' : ''}`,
      inert: isCovered(state),
      ondragover: dragHandler(true),
      ondragleave: dragHandler(false),
      ondrop: dragHandler(false),
    },
    heading(state, [title, h('span', { class: 'topic' }, destination.topic)], destination.isApp),
    messageList(
      state,
      `list ${key}`,
      `Messages in ${destination.title}`,
      destination.messages.filter(({ parent, isBroadcast }) => parent === undefined || isBroadcast),
    ),
    notices(state),
    destination.closed === undefined
      ? composer(state, key, `Message ${isChannel ? '' : 'to '}${destination.title}`)
      : closedLine(state, destination),
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
          ui.drawer = ui.drawer === 'sidebar' ? undefined : 'sidebar';
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
        title: 'Outside Slack',
        'aria-label': 'Outside Slack',
        onclick: () => {
          ui.thread = undefined;
          ui.drawer = ui.drawer === 'panel' ? undefined : 'panel';
          redraw();
        },
      },
      icon('globe'),
    ),
  );
}

function tabs({ app, destination }: State): VNode {
  const tab = (label: string, opens: string, isCurrent: boolean) =>
    h(
      'button',
      {
        type: 'button',
        'aria-current': isCurrent && 'page',
        onclick: () => ignoreErrors(act('open', { destination: opens })),
      },
      label,
    );
  return h(
    'nav',
    { class: 'tabs', 'aria-label': `${app.name}` },
    app.hasHome && tab('Home', `Home of ${app.name}`, destination?.kind === 'home'),
    tab('Messages', app.name, destination?.kind === 'conversation'),
  );
}

/** Slack's own error messages. */
function notices({ notices: list }: State): Content {
  return list.map((text) =>
    h(
      'p',
      { class: 'notice', role: 'alert' },
      text,
      h(
        'button',
        { type: 'button', class: 'tool', 'aria-label': 'Dismiss', onclick: () => ignoreErrors(act('dismiss')) },
        icon('close'),
      ),
    ),
  );
}

function closedLine({ me }: State, { closed, title }: Conversation): VNode {
  const text = {
    archived: `${title} is archived.`,
    'not-a-member': `${me.name} is only viewing ${title}.`,
    'read-only': "This app doesn't read messages.",
  }[closed ?? 'archived'];
  const join = h(
    'button',
    { type: 'button', class: 'button primary', onclick: () => ignoreErrors(act('join')) },
    `Join ${title}`,
  );
  return h('div', { class: 'closed' }, h('p', {}, text), closed === 'not-a-member' && join);
}
