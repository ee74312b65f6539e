import type { Button, ModalView } from '@slack/types';
import { actions, type Blocks, button, header, line, list, note, type Piece, section } from '../../slack/blocks.ts';
import { truncateText } from '../../slack/limits.ts';
import { modal } from '../../slack/views.ts';
import { andList, andMore, count, durationText } from '../../slack/words.ts';
import { approvalText } from './approval/views.ts';
import { deliveryTexts, type InboxChannel, postsText, remindersText } from './inbox-channels.ts';
import { actionTexts } from './permission.ts';
import { type AllowedPeople, type FileRules, permissionSettings, permissions, type Settings } from './repository.ts';

const maxNamed = 10;

/** All settings, one per line, with a button for each form. */
export function overviewView(settings: Settings, notice?: string): ModalView {
  return modal('Settings', [
    ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
    ...settingsSection(
      'Inbox channels',
      channelLines(settings),
      button('Change inbox channels', 'settings.channels'),
      pageButton('Change downloads', 'delivery'),
    ),
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

const settingsSection = (title: string, lines: Piece[][], ...change: Button[]): Blocks => [
  header(title),
  list(lines),
  actions(...change),
];

const pageButton = (label: string, page: string) => button(label, 'settings.open', { value: page });

const maxChannels = 5;

function channelLines({ inboxChannels, delivery, expiryUnit }: Settings): Piece[][] {
  const omitted = inboxChannels.length - maxChannels;
  const hasReminders = inboxChannels.some(({ reminderDays }) => reminderDays > 0);
  return [
    ...inboxChannels.slice(0, maxChannels).map(channelPieces),
    ...(omitted > 0 ? [[andMore(omitted)]] : []),
    ...(inboxChannels.some(({ everythingElse }) => everythingElse) ? [] : [[elseText(inboxChannels.length > 0)]]),
    ...(hasReminders && expiryUnit === 'own' ? [["No reminders, because the expiry unit isn't set"]] : []),
    [`Downloads without an inbox channel arrive ${deliveryTexts[delivery]}`],
  ];
}

/** Where new files go that no channel gets. */
export const elseText = (hasChannels: boolean): string =>
  `${hasChannels ? 'Everything else' : 'No channel yet'}: the person who connected the workspace is notified`;

const sendersShown = 3;

/** A channel on one line: its senders, how it posts, and what differs from a new channel. */
export function channelPieces(inboxChannel: InboxChannel): Piece[] {
  const { channel, senders, everythingElse, takeAndDone, delivery, reminderDays } = inboxChannel;
  const sources = [...senders, ...(everythingElse ? ['everything else'] : [])];
  const texts = [
    truncateText(andList(sources, sendersShown), 300),
    postsText(inboxChannel),
    ...(takeAndDone ? ['Take and Done'] : []),
    ...(delivery === 'private' ? [] : [`downloads ${deliveryTexts[delivery]}`]),
    ...(reminderDays === 1 ? [] : [remindersText(reminderDays)]),
  ];
  return [{ channel }, ...texts.map((text) => ` · ${text}`)];
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
    watchedChannels.length === 0
      ? ['No watched channels']
      : ['Watched channels: ', ...withCommas(watchedChannels.slice(0, maxNamed).map((channel) => ({ channel })))],
  ];
}

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
