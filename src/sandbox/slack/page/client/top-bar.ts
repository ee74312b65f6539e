import { avatar } from './avatar.ts';
import { h, type VNode } from './dom.ts';
import type { Member, State } from './state.ts';
import { ui } from './ui.ts';

const roles: Record<Member['role'], string> = {
  owner: 'owner of the workspace',
  admin: 'admin',
  member: 'member',
  guest: 'guest',
  stranger: 'from another organisation',
  bot: 'bot',
  app: 'app',
};

/** Shows whose page this is, and switches to other people. */
export function topBar({ me, people, app }: State): VNode {
  return h(
    'header',
    { class: 'top-bar' },
    h('p', { class: 'brand' }, h('b', {}, app.name), ' sandbox'),
    !ui.isLive &&
      h('p', { class: 'lost', role: 'alert' }, "The sandbox isn't responding. Start it again: npm run sandbox"),
    // The toast is part of the bar, so that it doesn't cover a button.
    ui.toast !== '' && h('p', { key: ui.toast, class: 'toast', role: 'alert' }, ui.toast),
    h(
      'div',
      { class: 'people', role: 'group', 'aria-label': 'You are' },
      h('span', { class: 'people-label' }, 'You are'),
      people.map((person) =>
        h(
          'button',
          {
            key: person.id,
            type: 'button',
            class: person.id === me.id ? 'person current' : 'person',
            'aria-pressed': String(person.id === me.id),
            title: `${person.name}, ${roles[person.role]}`,
            onclick: () => {
              location.hash = person.id;
            },
          },
          avatar(person),
          h('span', {}, person.name),
          h('span', { class: 'role' }, person.role),
        ),
      ),
    ),
  );
}
