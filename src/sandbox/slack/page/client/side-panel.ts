import { composer } from './composer.ts';
import { isCovered } from './conversation.ts';
import { h, type VNode } from './dom.ts';
import { icon } from './icons.ts';
import { messageList } from './messages.ts';
import { drawOutside } from './outside.ts';
import type { State } from './state.ts';
import { redraw, ui } from './ui.ts';

/** The panel beside the conversation: the open thread, or what is outside Slack. */
export function drawSidePanel(state: State): VNode | false {
  const thread = drawThread(state);
  const content = thread ?? (state.outside && drawOutside(state.outside));
  const label = thread ? 'Thread' : 'Outside Slack';
  const shownClass = ui.drawer === 'panel' ? 'shown' : '';
  return (
    content !== undefined &&
    h(
      'aside',
      { class: `beside ${shownClass}`, 'aria-label': label, inert: thread !== undefined && isCovered(state) },
      heading(label, thread !== undefined),
      content,
    )
  );
}

function heading(label: string, isThread: boolean): VNode {
  const close = () => {
    Object.assign(ui, { thread: undefined, drawer: undefined });
    redraw();
  };
  return h(
    'header',
    { class: 'heading' },
    h('h2', {}, label),
    h(
      'button',
      {
        type: 'button',
        class: `tool ${isThread ? '' : 'only-medium'}`,
        'aria-label': `Close ${label.toLowerCase()}`,
        onclick: close,
      },
      icon('close'),
    ),
  );
}

function drawThread(state: State): VNode | undefined {
  const { destination } = state;
  if (ui.thread === undefined || destination?.kind !== 'conversation') return undefined;
  const { thread } = ui;
  const messages = destination.messages.filter(({ ts, parent }) => ts === thread || parent === thread);
  if (messages.length === 0) return undefined;
  return h(
    'div',
    { key: `thread ${thread}`, class: 'thread' },
    messageList(state, `replies ${thread}`, 'Replies', messages, true),
    destination.closed === undefined && composer(state, `${state.me.id} ${destination.id} ${thread}`, 'Reply…', thread),
  );
}
