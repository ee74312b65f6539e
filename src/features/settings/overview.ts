import type { ModalView } from '@slack/types';
import { actions, type Blocks, button, header, line, list, note, type Piece, section } from '../../slack/blocks.ts';
import { cutTo } from '../../slack/limits.ts';
import { modal } from '../../slack/views.ts';
import { andList, count, expiresAfter } from '../../slack/words.ts';
import type { AllowedPeople, Permission, Settings } from './settings.ts';

const maxNamed = 10;

/** All settings, one per line, with a button for each form. */
export function overviewView(settings: Settings, notice?: string): ModalView {
  return modal('Settings', [
    ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
    ...settingsSection('Incoming files', incomingLines(settings), ['Change incoming files', 'inbox']),
    ...settingsSection('Routes', [routesLine(settings)], ['Change routes', 'routes']),
    ...settingsSection('People', peopleLines(settings), ['Change who may do what', 'people']),
    ...settingsSection('Sending', sendingLines(settings), ['Change sending', 'sending']),
    ...settingsSection('The service', serviceLines(settings), ['Change service options', 'service']),
    note('Settings are for the whole workspace. Every change is in /drop audit.'),
  ]);
}

function settingsSection(title: string, lines: Piece[][], [label, page]: [string, string]): Blocks {
  return [header(title), list(lines), actions(button(label, 'settings.open', { value: page }))];
}

const deliveries: Record<Settings['delivery'], string> = {
  private: 'in a direct message to whoever asked for it',
  thread: 'in the thread of the announcement',
  link: 'by a link that works for a short while',
};

function incomingLines({ inboxChannel, delivery }: Settings): Piece[][] {
  return [
    inboxChannel === undefined
      ? ['No channel yet: new files are announced to whoever connected the workspace']
      : ['New files are announced in ', { channel: inboxChannel }],
    [`A download arrives ${deliveries[delivery]}`],
  ];
}

function routesLine({ routes }: Settings): Piece[] {
  if (routes.length === 0) return ['None: all files are announced in the same channel'];
  return [`${count(routes.length, 'sender')} with a channel of their own: ${andList(routes.map(({ from }) => from))}`];
}

const permissionLabels: Record<Permission, string> = {
  send: 'Send files',
  request: 'Ask for files',
  download: 'Download files',
  contacts: 'Change contacts',
};

function peopleLines({ admins, may }: Settings): Piece[][] {
  return [
    ['Admins beside those of the workspace: ', ...peoplePieces(admins)],
    ...(Object.keys(permissionLabels) as Permission[]).map((permission): Piece[] => [
      `${permissionLabels[permission]}: `,
      ...allowedPieces(may[permission]),
    ]),
  ];
}

function allowedPieces(allowedPeople: AllowedPeople): Piece[] {
  if (allowedPeople === 'everyone') return ['everyone'];
  return allowedPeople === 'admins' ? ['admins'] : ['admins, ', ...peoplePieces(allowedPeople)];
}

function peoplePieces(ids: readonly string[]): Piece[] {
  if (ids.length === 0) return ['nobody'];
  const more = ids.length - maxNamed;
  const shown = ids.slice(0, maxNamed).flatMap((user, index): Piece[] => (index === 0 ? [{ user }] : [', ', { user }]));
  return more > 0 ? [...shown, ` and ${more} more`] : shown;
}

function sendingLines({ ttl, message, receiverDomains, watchedChannels }: Settings): Piece[][] {
  const longest = ttl.longest === undefined ? '' : `, at most ${expiresAfter(ttl.longest, ttl.unit)}`;
  const domains = receiverDomains.length === 0 ? 'anywhere' : `only ${andList(receiverDomains)}`;
  const channels = watchedChannels
    .slice(0, maxNamed)
    .flatMap((channel, index): Piece[] => (index === 0 ? [{ channel }] : [', ', { channel }]));
  return [
    [`Time to live: ${expiresAfter(ttl.usual, ttl.unit)}${longest}`],
    [message === '' ? 'No message to start with' : `Message to start with: ${cutTo(message, 100)}`],
    [`Receivers: ${domains}`],
    watchedChannels.length === 0
      ? ['Files shared in channels are left alone']
      : ['Files are offered to be sent in ', ...channels],
  ];
}

function serviceLines({ requests, contactsOnlyAdd }: Settings): Piece[][] {
  return [
    [`Asking for files is switched ${requests ? 'on' : 'off'}`],
    [contactsOnlyAdd ? 'This service only adds contacts' : 'Contacts are saved as a whole list'],
  ];
}

/** The senders with a separate channel. `idOf` returns the value of a route's button. */
export function routesView({ routes }: Settings, idOf: (from: string) => string, notice?: string): ModalView {
  return modal('Routes', [
    ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
    section('Files of these senders are announced in a channel of their own. An address goes before its domain.'),
    ...(routes.length === 0
      ? [section('None yet.')]
      : routes.flatMap(({ from, channel }) => routeBlocks(from, channel, idOf(from)))),
    actions(
      button('Add a route', 'settings.route-new', { style: 'primary' }),
      button('Back to all settings', 'settings.overview'),
    ),
  ]);
}

function routeBlocks(from: string, channel: string, id: string): Blocks {
  const accessibilityLabel = `Remove the route of ${from}`;
  return [
    line({ bold: cutTo(from, 300) }, ' → ', { channel }),
    actions(button('Remove', 'settings.route-remove', { value: id, accessibilityLabel })),
  ];
}
