import { avatar } from './avatar.ts';
import { isCovered } from './conversation.ts';
import { type Content, h, type VNode } from './dom.ts';
import { icon } from './icons.ts';
import { act, ignoreErrors } from './server.ts';
import type { Member, SidebarEntry, State } from './state.ts';
import { redraw, ui } from './ui.ts';
import { updateUnread } from './unread.ts';

/** Navigation: channels, people and the app. */
export function sidebar(state: State): VNode {
  const { workspace, channels, directs, app } = state;
  const apps = directs.filter(({ kind }) => kind === 'app');
  const people = directs.filter(({ kind }) => kind === 'person');
  return h(
    'nav',
    {
      class: `sidebar ${ui.drawer === 'sidebar' ? 'shown' : ''}`,
      'aria-label': 'Channels and people',
      inert: isCovered(state),
    },
    h('p', { class: 'workspace' }, workspace),
    h(
      'div',
      { class: 'sidebar-lists scroll', tabindex: '0', role: 'region', 'aria-label': 'Navigation' },
      group('Channels', channels, (entry) => entryRow(state, entry, icon(entry.kind === 'private' ? 'lock' : 'hash'))),
      group('Direct messages', people, (entry) => entryRow(state, entry, avatar(memberNamed(state, entry.title)))),
      group('Apps', apps, (entry) => entryRow(state, entry, avatar({ id: '', name: entry.title, role: 'app' }))),
      !app.isInstalled &&
        app.installUrl &&
        h('a', { class: 'place', href: app.installUrl, target: '_blank' }, icon('plus'), `Install ${app.name}`),
    ),
  );
}

function memberNamed({ people }: State, name: string): Member {
  return people.find((person) => person.name === name) ?? { id: name, name, role: 'member' };
}

function group(title: string, entries: readonly SidebarEntry[], row: (entry: SidebarEntry) => Content): Content {
  if (entries.length === 0) return undefined;
  return [
    h('h2', {}, title),
    h(
      'ul',
      {},
      entries.map((entry) => h('li', { key: entry.opens }, row(entry))),
    ),
  ];
}

function entryRow(state: State, entry: SidebarEntry, picture: VNode): VNode {
  const unread = updateUnread(state, entry);
  const go = () => {
    Object.assign(ui, { thread: undefined, drawer: undefined });
    redraw();
    ignoreErrors(act('open', { destination: entry.opens }));
  };
  return h(
    'button',
    {
      type: 'button',
      class: `place ${entry.isCurrent ? 'current' : ''} ${unread ? 'unread' : ''}`,
      'aria-current': entry.isCurrent && 'page',
      onclick: go,
    },
    picture,
    h('span', {}, entry.title),
    entry.isShared && h('span', { class: 'tag' }, 'shared'),
    unread && h('span', { class: 'dot' }, h('span', { class: 'unseen' }, 'new messages')),
  );
}
