import { h, type VNode } from './dom.ts';
import { dayOf, timeOf } from './format.ts';
import { drawMessage } from './message.ts';
import type { Message, State } from './state.ts';

const groupSeconds = 300;

/** A list of messages that stays scrolled to its end, unless the person has scrolled up. */
export function messageList(
  state: State,
  key: string,
  label: string,
  messages: readonly Message[],
  inThread = false,
): VNode {
  const rows = messages.flatMap((message, index): VNode[] => {
    const previous = messages[index - 1];
    const day = dayOf(timeOf(message.ts));
    const isNewDay = !inThread && (!previous || dayOf(timeOf(previous.ts)) !== day);
    const isContinuation = !isNewDay && previous !== undefined && continues(previous, message);
    return [
      ...(isNewDay ? [h('p', { key: `day ${message.ts}`, class: 'day' }, h('span', {}, day))] : []),
      drawMessage(state, message, { isContinuation, inThread }),
    ];
  });
  const last = messages.at(-1);
  return h(
    'div',
    { key, class: 'messages scroll', role: 'log', 'aria-label': label, tabindex: '0', mounted: keepScrolledToEnd },
    h('div', { class: 'message-rows', 'data-last': last?.ts }, rows),
  );
}

function continues(previous: Message, message: Message): boolean {
  const isSoon = Number(message.ts) - Number(previous.ts) < groupSeconds;
  return (
    isSoon &&
    previous.author.id === message.author.id &&
    previous.isOnlyForMe === message.isOnlyForMe &&
    previous.replies === 0
  );
}

const endTolerancePx = 80;

function keepScrolledToEnd(list: HTMLElement): void {
  let isAtEnd = true;
  let lastTop = 0;
  list.addEventListener('scroll', () => {
    const isNearEnd = list.scrollHeight - list.scrollTop - list.clientHeight < endTolerancePx;
    // Only scrolling up leaves the end: the composer can shrink the list between a scroll and its event.
    if (isNearEnd || list.scrollTop < lastTop) isAtEnd = isNearEnd;
    lastTop = list.scrollTop;
  });
  const scrollToEnd = () => {
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  };
  // Observe both: new messages change the content, the composer changes the list's own height.
  const observer = new ResizeObserver(scrollToEnd);
  observer.observe(list);
  if (list.firstElementChild) observer.observe(list.firstElementChild);
  scrollToEnd();
}
