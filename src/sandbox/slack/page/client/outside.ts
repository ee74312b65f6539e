import { type Content, h, type VNode } from './dom.ts';
import { clockTime, durationOf } from './format.ts';
import { icon } from './icons.ts';
import { menuButton } from './menu.ts';
import { ignoreErrors, simulate } from './server.ts';
import type { Outside, OutsideMail } from './state.ts';
import { local, redraw } from './ui.ts';

/** The panel “Outside Slack”. With it, the person who tries the sandbox can also act as the recipients. */
export function drawOutside({ facts, steps, next, mails, simulations, passedMs }: Outside): VNode {
  const groups = new Set(simulations.map(({ group }) => group));
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
    simulations.length > 0 &&
      part('Simulate', [
        passedMs > 0 && h('p', { class: 'dim later' }, `It is ${durationOf(passedMs)} later here.`),
        [...groups].map((name) =>
          drawGroup(
            name,
            simulations.filter(({ group }) => group === name),
          ),
        ),
      ]),
  );
}

function part(title: string, content: Content): VNode {
  return h('section', { key: title }, h('h3', {}, title), content);
}

type Simulation = Outside['simulations'][number];

/** The group's buttons, and a button for each of its menus. */
function drawGroup(name: string, simulations: Simulation[]): VNode {
  const menus = new Set(simulations.flatMap(({ menu = [] }) => menu));
  return h(
    'div',
    { key: name, class: 'simulations', role: 'group', 'aria-label': `Simulate: ${name}` },
    h('h4', {}, name),
    h(
      'div',
      {},
      [...menus].map((menu) =>
        drawMenu(
          menu,
          simulations.filter((one) => one.menu === menu),
        ),
      ),
      simulations.filter(({ menu }) => menu === undefined).map(drawSimulation),
    ),
  );
}

function drawMenu(label: string, simulations: Simulation[]): VNode {
  const items = simulations.map((one) => ({ label: one.name, run: () => run(one) }));
  return menuButton({ key: `simulate ${label}`, label, content: [label, icon('down')], class: 'button plain', items });
}

function run({ name, confirm: question }: Simulation): void {
  if (question === undefined || confirm(question)) ignoreErrors(simulate(name));
}

function drawSimulation(simulation: Simulation): VNode {
  const { name, confirm: question } = simulation;
  const style = question === undefined ? 'plain' : 'danger';
  return h('button', { key: name, type: 'button', class: `button ${style}`, onclick: () => run(simulation) }, name);
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
