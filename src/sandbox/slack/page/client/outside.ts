import { type Content, h, type VNode } from './dom.ts';
import { clockTime } from './format.ts';
import { icon } from './icons.ts';
import { ignoreErrors, simulate } from './server.ts';
import type { Outside, OutsideMail } from './state.ts';
import { local, redraw } from './ui.ts';

/** The panel “Outside Slack”. With it, the person who tries the sandbox can also act as the recipients. */
export function drawOutside({ facts, steps, next, mails, simulations }: Outside): VNode {
  const service = part('File-exchange service', h('dl', { class: 'facts' }, facts.map(fact)));
  const sent = part(
    'Emails sent',
    mails.length === 0
      ? h('p', { class: 'dim' }, 'None yet. Send something, and the recipients’ links appear here.')
      : h('ul', { class: 'mails' }, mails.map(drawMail)),
  );
  return h(
    'div',
    { class: 'outside scroll', tabindex: '0', role: 'region', 'aria-label': 'Service, emails and steps' },
    part('Get started', [
      h('ol', { class: 'steps' }, steps.map(drawStep)),
      h('p', { class: 'dim next' }, marked(next)),
    ]),
    // Until something is sent, the account comes first. After that, the emails with their links do.
    mails.length === 0 ? [service, sent] : [sent, service],
    simulations.length > 0 && part('Simulate', simulations.map(drawSimulation)),
  );
}

function part(title: string, content: Content): VNode {
  return h('section', { key: title }, h('h3', {}, title), content);
}

function drawSimulation({ name, confirm: question }: Outside['simulations'][number]): VNode {
  const run = () => {
    if (question === undefined || confirm(question)) ignoreErrors(simulate(name));
  };
  const style = question === undefined ? 'plain' : 'danger';
  return h('button', { key: name, type: 'button', class: `button ${style}`, onclick: run }, name);
}

function drawStep({ text, isDone }: Outside['steps'][number]): VNode {
  return h('li', { class: isDone ? 'done' : '' }, marked(text), isDone && doneMark());
}

function doneMark(): VNode {
  return h('span', { class: 'done-mark' }, icon('check'), h('span', { class: 'unseen' }, '(done)'));
}

/** Renders commands in backticks as code. */
function marked(step: string) {
  return step.split('`').map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}

function fact({ label, value }: Outside['facts'][number]): VNode {
  const state = local(`fact ${label}`, () => ({ isCopied: false }));
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    state.isCopied = true;
    redraw();
    setTimeout(() => {
      state.isCopied = false;
      redraw();
    }, 1_500);
  };
  return h(
    'div',
    { key: label },
    h('dt', {}, label),
    h(
      'dd',
      {},
      h('code', {}, value),
      h(
        'button',
        {
          type: 'button',
          class: 'tool',
          'aria-label': `Copy ${label}`,
          title: 'Copy',
          onclick: () => ignoreErrors(copy()),
        },
        icon(state.isCopied ? 'check' : 'copy'),
      ),
    ),
  );
}

function drawMail({ at, to, subject, message, link }: OutsideMail): VNode {
  return h(
    'li',
    { key: link, class: 'mail' },
    h('p', { class: 'mail-head' }, icon('mail'), h('b', {}, to), h('time', {}, clockTime(new Date(at)))),
    h('p', {}, subject),
    message !== '' && h('p', { class: 'dim mail-text' }, message),
    h(
      'a',
      {
        class: 'button plain',
        href: link,
        target: '_blank',
        rel: 'noopener noreferrer',
        'aria-label': `Open link for ${to}`,
      },
      'Open link',
    ),
  );
}
