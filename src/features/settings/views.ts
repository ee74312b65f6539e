import { createHash } from 'node:crypto';
import type { Button, ModalView } from '@slack/types';
import { actions, type Blocks, button, header, line, list, note, type Piece, section } from '../../slack/blocks.ts';
import { truncateText } from '../../slack/limits.ts';
import { modal } from '../../slack/views.ts';
import { andList, andMore, count, durationText } from '../../slack/words.ts';
import { approvalText } from './approval/views.ts';
import { digestText } from './fields.ts';
import { actionTexts } from './permission.ts';
import { type AllowedPeople, type FileRules, permissionSettings, permissions, type Settings } from './repository.ts';

const maxNamed = 10;

/** All settings, one per line, with a button for each form. */
export function overviewView(settings: Settings, notice?: string): ModalView {
  return modal('Settings', [
    ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
    ...settingsSection('Incoming files', incomingLines(settings), pageButton('Change incoming files', 'inbox')),
    ...settingsSection('Routes', [routesLine(settings)], pageButton('Change routes', 'routes')),
    ...settingsSection('Digests', digestLines(settings), button('Change digests', 'settings.digests')),
    ...settingsSection('People', peopleLines(settings), pageButton('Change permissions', 'people')),
    ...settingsSection('Sending', sendingLines(settings), pageButton('Change sending', 'sending')),
    ...settingsSection('Policies', policyLines(settings), button('Change policies', 'settings.policies')),
    ...settingsSection('Service', serviceLines(settings), pageButton('Change service options', 'service')),
    header('Pause'),
    line('Stop sending, file requests or downloads for a while.'),
    actions(button('Pause or resume', 'pause.open')),
    note('Settings apply to the whole workspace. Changes are recorded in /drop audit.'),
  ]);
}

const settingsSection = (title: string, lines: Piece[][], change: Button): Blocks => [
  header(title),
  list(lines),
  actions(change),
];

const pageButton = (label: string, page: string) => button(label, 'settings.open', { value: page });

const deliveries: Record<Settings['delivery'], string> = {
  private: 'in a direct message',
  thread: 'in the thread',
  link: 'as a link',
};

function incomingLines({ inboxChannel, workChannels, delivery, reminderDays, expiryUnit }: Settings): Piece[][] {
  const reminders =
    expiryUnit === 'own'
      ? "off, because the expiry unit isn't set"
      : `${count(reminderDays, 'day')} before files expire, if no one has downloaded them`;
  return [
    inboxChannel === undefined
      ? ['No channel yet: the person who connected the workspace is notified of new files']
      : ['New files are posted in ', { channel: inboxChannel }],
    workChannels.length === 0 ? ['Take and Done: off'] : ['Take and Done in ', ...channelPieces(workChannels)],
    [`Downloads arrive ${deliveries[delivery]}`],
    [`Reminders: ${reminderDays === 0 ? 'off' : reminders}`],
  ];
}

function routesLine({ routes }: Settings): Piece[] {
  if (routes.length === 0) return ['None: all files are posted in the same channel'];
  return [`${count(routes.length, 'sender')} with a separate channel: ${andList(routes.map(({ from }) => from))}`];
}

function peopleLines(settings: Settings): Piece[][] {
  const { admins, requests } = settings;
  return [
    ['Additional admins: ', ...peoplePieces(admins)],
    ...permissions.map((permission): Piece[] => [
      `${capitalized(actionTexts[permission])}: `,
      ...allowedPieces(settings[permissionSettings[permission]]),
      ...(permission === 'request' && !requests ? [' (requests are off)'] : []),
    ]),
  ];
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function allowedPieces(allowedPeople: AllowedPeople): Piece[] {
  if (allowedPeople === 'everyone') return ['everyone'];
  return allowedPeople === 'admins' ? ['admins'] : ['admins, ', ...peoplePieces(allowedPeople)];
}

function peoplePieces(ids: readonly string[]): Piece[] {
  if (ids.length === 0) return ['none'];
  const omitted = ids.length - maxNamed;
  const userPieces = withCommas(ids.slice(0, maxNamed).map((user) => ({ user })));
  return omitted > 0 ? [...userPieces, ` ${andMore(omitted)}`] : userPieces;
}

function sendingLines(settings: Settings): Piece[][] {
  const { expiryUnit, expiryDefault, expiryLongest, undoSeconds, message, recipientDomains, watchedChannels } =
    settings;
  const longest = expiryLongest === undefined ? '' : `, at most ${durationText(expiryLongest, expiryUnit)}`;
  const domains = recipientDomains.length === 0 ? 'any' : andList(recipientDomains);
  return [
    [`Expiry: ${durationText(expiryDefault, expiryUnit)}${longest}`],
    [`Time to undo: ${undoSeconds === 0 ? 'off' : count(undoSeconds, 'second')}`],
    [message === '' ? 'No default message' : `Default message: ${truncateText(message, 100)}`],
    [`Allowed domains: ${domains}`],
    watchedChannels.length === 0 ? ['No watched channels'] : ['Watched channels: ', ...channelPieces(watchedChannels)],
  ];
}

const channelPieces = (channels: readonly string[]): Piece[] =>
  withCommas(channels.slice(0, maxNamed).map((channel) => ({ channel })));

const withCommas = (pieces: Piece[]): Piece[] => pieces.flatMap((piece) => [', ', piece]).slice(1);

function serviceLines({ requests, contactsOnlyAdd }: Settings): Piece[][] {
  return [
    [`File requests: ${requests ? 'on' : 'off'}`],
    [contactsOnlyAdd ? 'Contact sync: add-only' : 'Contact sync: replace all'],
  ];
}

/** Says that file requests are off, with the way to turn them on, or the people to ask. */
export function requestsOffBlocks(isAdmin: boolean, connectedBy: string | undefined): Blocks {
  const text = 'File requests are off in this workspace.';
  if (isAdmin) return [section(text, button('Turn on file requests', 'settings.open', { value: 'requests' }))];
  const people: Piece[] =
    connectedBy === undefined ? ['a workspace admin'] : [{ user: connectedBy }, ' or another workspace admin'];
  return [line(`${text} To turn them on, ask `, ...people, '.')];
}

/** What an admin sees after turning on file requests. */
export const requestsOnView = (): ModalView =>
  modal('File requests', [
    section('✅ File requests are on.'),
    actions(button('Request files', 'request.open', { style: 'primary' })),
    note('To turn them off or choose who can request files, use /drop settings.'),
  ]);

/** A short id for a route's button that doesn't reveal the sender. */
export const routeId = (from: string) => createHash('sha256').update(from).digest('base64url').slice(0, 22);

/** The senders with a separate channel. */
export function routesView({ routes }: Settings, notice?: string): ModalView {
  const blocks = [
    ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
    section('Files from these senders are posted in a separate channel. Addresses override domains.'),
    ...(routes.length === 0
      ? [section('None yet.')]
      : routes.flatMap(({ from, channel }) => routeBlocks(from, channel))),
    actions(button('Add route', 'settings.route-new', { style: 'primary' })),
  ];
  return modal('Routes', blocks, { close: 'Back' });
}

function routeBlocks(from: string, channel: string): Blocks {
  const accessibilityLabel = `Remove route of ${from}`;
  return [
    line({ bold: truncateText(from, 300) }, ' → ', { channel }),
    actions(button('Remove', 'settings.route-remove', { value: routeId(from), style: 'danger', accessibilityLabel })),
  ];
}

const maxDigests = 5;

function digestLines({ digests }: Settings): Piece[][] {
  if (digests.length === 0) return [['None: new files are posted as they arrive']];
  const omitted = digests.length - maxDigests;
  const lines = digests.map((digest): Piece[] => [{ channel: digest.channel }, `: ${digestText(digest)}`]);
  return [...lines.slice(0, maxDigests), ...(omitted > 0 ? [[andMore(omitted)]] : [])];
}

const typeTexts: Record<FileRules['fileTypes'], string> = {
  any: 'File types: any',
  allow: 'File types: only ',
  block: 'File types: all except ',
};

const policyLines = (settings: Settings): Piece[][] => [
  [approvalText(settings.approval)],
  ...fileLines(settings),
  scanLine(settings),
];

export function fileLines({ fileTypes, extensions, maxFileMb, maxTotalMb }: FileRules): Piece[][] {
  const names = fileTypes === 'any' ? '' : truncateText(extensions.map((extension) => `.${extension}`).join(', '), 300);
  return [
    [`${typeTexts[fileTypes]}${names}`],
    [`Largest file: ${limitText(maxFileMb)}`],
    [`Largest transfer: ${limitText(maxTotalMb)}`],
  ];
}

const limitText = (megabytes: number | undefined) => (megabytes === undefined ? 'no limit' : `${megabytes} MB`);

export const scanLine = ({ unscanned }: Pick<FileRules, 'unscanned'>): Piece[] => [
  `Files that can't be scanned: ${unscanned === 'block' ? 'blocked' : 'allowed and noted'}`,
];
