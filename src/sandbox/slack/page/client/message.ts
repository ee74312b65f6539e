import { avatar } from './avatar.ts';
import { drawBlocks } from './blocks.ts';
import { type Content, h, type VNode } from './dom.ts';
import { clockTime, sizeOf, timeOf } from './format.ts';
import { icon } from './icons.ts';
import { menuButton } from './menu.ts';
import { act, ignoreErrors } from './server.ts';
import type { Message, SharedFile, State } from './state.ts';
import { markup } from './text.ts';
import { redraw, ui } from './ui.ts';

export interface MessageOptions {
  /** The previous message is recent and by the same author, so the name isn't repeated. */
  isContinuation?: boolean;
  inThread?: boolean;
}

export function drawMessage(
  state: State,
  message: Message,
  { isContinuation = false, inThread = false }: MessageOptions,
): VNode {
  const { author, ts, isOnlyForMe } = message;
  const time = timeOf(ts);
  const stamp = h('time', { datetime: time.toISOString(), title: time.toLocaleString() }, clockTime(time));
  return h(
    'article',
    {
      key: ts,
      class: `message ${isContinuation ? 'goes-on' : ''} ${isOnlyForMe ? 'only-me' : ''}`,
      'aria-label': `${author.name}, ${clockTime(time)}`,
    },
    isOnlyForMe && h('p', { class: 'only-me-line' }, icon('eye'), 'Only visible to you'),
    isContinuation ? h('span', { class: 'gutter' }, stamp) : avatar(author),
    h(
      'div',
      { class: 'message-body' },
      !isContinuation &&
        h(
          'p',
          { class: 'byline' },
          h('b', {}, author.name),
          author.role === 'app' && h('span', { class: 'tag' }, 'App'),
          stamp,
        ),
      message.isBroadcast && !inThread && h('p', { class: 'hint' }, 'Replied to a thread'),
      contentOf(state, message),
      message.isEdited && h('span', { class: 'dim' }, ' (edited)'),
      message.files.map(drawFile),
      !inThread && message.replies > 0 && repliesLink(message),
    ),
    !isOnlyForMe && toolbar(state, message, inThread),
  );
}

/** If there are blocks, the text is only for notifications. */
function contentOf({ names }: State, { text, surface }: Message): Content {
  if (surface.blocks.length > 0) return drawBlocks(surface, names);
  return text !== '' && h('div', { class: 'block' }, markup(names, text));
}

function drawFile({ id, title, size, href }: SharedFile): VNode {
  const content = [
    icon('file'),
    h('span', {}, h('b', {}, title), h('span', { class: 'dim' }, href ? sizeOf(size) : '')),
  ];
  if (!href) return h('span', { key: id, class: 'file gone' }, content);
  return h('a', { key: id, class: 'file', href, download: title }, content);
}

function openThread(ts: string): void {
  ui.thread = ts;
  ui.drawer = 'panel';
  redraw();
}

function repliesLink({ ts, replies }: Message): VNode {
  const label = replies === 1 ? '1 reply' : `${replies} replies`;
  return h('button', { type: 'button', class: 'replies', onclick: () => openThread(ts) }, label);
}

function toolbar({ shortcuts }: State, { ts, author, parent }: Message, inThread: boolean): Content {
  const items = shortcuts
    .filter(({ on }) => on === 'message')
    .map(({ name, description }) => ({
      label: name,
      description,
      run: () => ignoreErrors(act('shortcut', { name, ts })),
    }));
  return h(
    'div',
    { class: 'toolbar' },
    !inThread &&
      h(
        'button',
        {
          type: 'button',
          class: 'tool',
          title: 'Reply in thread',
          'aria-label': `Reply to ${author.name} in a thread`,
          onclick: () => openThread(parent ?? ts),
        },
        icon('reply'),
      ),
    items.length > 0 &&
      menuButton({
        key: `more ${ts}`,
        label: `More actions for ${author.name}`,
        content: icon('more'),
        class: 'tool',
        items,
      }),
  );
}
