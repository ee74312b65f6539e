import type { Button, HomeView } from '@slack/types';
import {
  actions,
  type Blocks,
  button,
  divider,
  header,
  line,
  list,
  moment,
  note,
  type Piece,
  section,
} from '../../slack/blocks.ts';
import { fitMiddle } from '../../slack/limits.ts';
import { listedNames, oneLine } from '../../slack/words.ts';
import type { InboxItem } from '../common/services.ts';
import { membersUnknownNotes, namedChannelOf } from '../inbox/items/views.ts';
import { takenBlocks } from '../inbox/work/views.ts';
import type { Pauses } from '../pause/repository.ts';
import { pauseNotices } from '../pause/views.ts';
import { requestsOffBlocks } from '../settings/views.ts';
import { waitingBlocks } from '../transfers/approval/views.ts';
import { endText, endTexts, listedRecipients } from '../transfers/cards/card.ts';
import type { ShownKinds } from '../transfers/shown-kind.ts';
import type { Transfer } from '../transfers/transfer.ts';
import type { ConnectedHome, Home } from './operations.ts';

export function homeView(kinds: ShownKinds, home: Home, support?: string, publicUrl?: string): HomeView {
  return {
    type: 'home',
    blocks: [
      header('Dropline'),
      ...blocksOf(kinds, home),
      ...supportBlocks(home, support),
      ...privacyBlocks(publicUrl),
    ],
  };
}

const privacyBlocks = (publicUrl: string | undefined): Blocks =>
  publicUrl === undefined
    ? []
    : [line({ link: `${publicUrl}/privacy`, text: 'Privacy' }, ': what Dropline stores, and for how long')];

/**
 * The operator's contact, and the person who connected the workspace, unless that is the reader. Outsiders see “a
 * workspace admin” instead of that person, and so does everyone before the workspace is connected.
 */
function supportBlocks(home: Home, support: string | undefined): Blocks {
  const people = peopleToAsk(home);
  if (support === undefined)
    return people === undefined ? [] : [header('Support'), line('Questions? You can ask ', ...people, '.')];
  const link = support.startsWith('https:') ? support : `mailto:${support}`;
  const others: Piece[] = people === undefined ? [] : [', or ask ', ...people];
  return [header('Support'), line('Questions? Contact ', { link, text: support }, ...others, '.')];
}

function peopleToAsk(home: Home): Piece[] | undefined {
  if (home.kind !== 'connected') return ['a workspace admin'];
  return home.connectedBy === home.person ? undefined : [{ user: home.connectedBy }, ', who set up Dropline here'];
}

function blocksOf(kinds: ShownKinds, home: Home): Blocks {
  switch (home.kind) {
    case 'outsider':
      return [
        section(
          "Hello! Only members of this workspace can use Dropline. Guests and people from other organisations can't.",
        ),
        note('If you expect files from someone here, ask them to send them to your email address.'),
      ];
    case 'no-desk':
      return [
        section("You can't send or receive files here yet. Ask a workspace admin to add you."),
        actions(...(home.isAdmin ? [button('Connected accounts', 'connect.open')] : []), help),
      ];
    case 'unconnected':
      return unconnectedBlocks(home.isAdmin, home.isLeaving);
    case 'connected':
      return connectedBlocks(kinds, home);
  }
}

const help = button('Help', 'help.show');

function unconnectedBlocks(isAdmin: boolean, isLeaving: boolean): Blocks {
  const intro = section(
    "Send files to people outside and receive theirs through your organisation's file service, without leaving Slack.",
  );
  if (isLeaving) return [intro, section('This workspace is being disconnected from the file service.'), actions(help)];
  return isAdmin
    ? [
        intro,
        section("This workspace isn't connected to a file service yet. You need its URL, an account and an API key."),
        actions(button('Connect', 'connect.open', { style: 'primary' }), help),
      ]
    : [
        intro,
        section("This workspace isn't connected to a file service yet. Ask a workspace admin to type /drop connect."),
        actions(help),
      ];
}

function connectedBlocks(kinds: ShownKinds, home: ConnectedHome): Blocks {
  const {
    username,
    isHeld,
    pauses = {},
    active,
    approvals = [],
    sent,
    requests,
    inbox,
    onlyChannel,
    areUnknown,
    taken,
    readAt,
  } = home;
  return [
    line('Connected to the file service as ', { bold: username }),
    ...(isHeld ? [section('⚠️ Sending is on hold until an admin reviews it. See Status.')] : []),
    ...pauseNotices(pauses, undefined, { canResume: home.isAdmin }),
    actions(...quickButtons(home)),
    ...(home.isAdmin && !home.hasRequests ? requestsOffBlocks(true, undefined) : []),
    ...waitingBlocks(kinds, approvals),
    ...(taken === undefined ? [] : takenBlocks(taken)),
    header('In progress'),
    ...(active.length === 0
      ? [section('No active transfers.')]
      : [list(active.map((transfer) => activePieces(kinds, transfer, pauses)))]),
    ...(inbox === undefined
      ? []
      : [header('Inbox'), ...membersUnknownNotes(areUnknown), ...inboxBlocks(inbox, onlyChannel)]),
    ...(requests.length === 0
      ? []
      : [header('Requests'), ...requests.flatMap((transfer) => endedBlocks(kinds, transfer, home))]),
    header('Recently sent'),
    ...(sent.length === 0
      ? [section('Nothing yet.')]
      : [
          ...sent.flatMap((transfer) => endedBlocks(kinds, transfer, home)),
          actions(commandButton('View all', 'history')),
        ]),
    line('Updated ', moment(readAt)),
  ];
}

const commandButton = (label: string, command: string, style?: 'primary') =>
  button(label, `help.run#${command}`, { value: command, style });

function quickButtons({ may, isAdmin }: ConnectedHome): Button[] {
  return [
    ...(may.send ? [commandButton('Send files', 'send', 'primary')] : []),
    ...(may.request ? [commandButton('Request files', 'request')] : []),
    commandButton('Contacts', 'contacts'),
    ...(may.download ? [commandButton('Inbox', 'inbox')] : []),
    commandButton('Status', 'status'),
    ...(isAdmin ? [commandButton('Settings', 'settings')] : []),
    ...(may.audit && !isAdmin ? [commandButton('History', 'history')] : []),
    ...(may.audit ? [commandButton('Audit log', 'audit')] : []),
    help,
    button('Refresh', 'home.refresh'),
  ];
}

function inboxBlocks(inbox: readonly InboxItem[], onlyChannel: string | undefined): Blocks {
  if (inbox.length === 0) return [section('Your inbox is empty.')];
  return [list(inbox.map((item) => itemPieces(item, onlyChannel))), actions(commandButton('View inbox', 'inbox'))];
}

function itemPieces(item: InboxItem, onlyChannel: string | undefined): Piece[] {
  const { sender = '', files, createdAt } = item;
  const from = fitMiddle(oneLine(sender), 100) || 'an unknown sender';
  const datePieces: Piece[] = createdAt === undefined ? [] : [', ', moment(createdAt)];
  const channel = namedChannelOf(item, onlyChannel);
  const place: Piece[] = channel === undefined ? [] : [' in ', { channel }];
  return [`${listedNames(files)} from `, { bold: from }, ...place, ...datePieces];
}

const activeTexts: Partial<Record<Transfer['state'], string>> = {
  approval: 'waiting for approval',
  planned: 'starts soon',
  waiting: 'queued',
  running: 'sending',
  committing: 'sending',
  sent: 'sent, checking',
};

function activePieces(kinds: ShownKinds, transfer: Transfer, pauses: Pauses): Piece[] {
  const { kind, state, createdAt } = transfer;
  const { plannedFor } = transfer;
  const isPlanned = state === 'planned' && plannedFor !== undefined;
  const isPaused = state === 'waiting' && pauses[kinds[kind].pausedBy] !== undefined;
  const stateText = isPlanned ? 'planned' : isPaused ? 'paused' : activeTexts[state];
  const subject = `${kinds[kind].subject(transfer)} to ${listedRecipients(transfer)}`;
  return [`${subject}: `, { bold: stateText ?? state }, ', ', moment(isPlanned ? plannedFor : createdAt)];
}

/** A transfer that has ended. */
function endedBlocks(kinds: ShownKinds, transfer: Transfer, { isOwn, isAdmin, may }: ConnectedHome): Blocks {
  const { kind, state } = transfer;
  const { text, accessory, status } = kinds[kind].onHome(transfer, isOwn(transfer) && may.send);
  const end = endText(transfer);
  const shownEnd = state === 'sent' && end === endTexts.sent ? (status ?? end) : end;
  return [divider(), section(text, accessory), endLine(transfer, shownEnd, isAdmin)];
}

const endLine = (transfer: Transfer, text: string, isAdmin: boolean) =>
  line({ bold: text }, ', ', moment(transfer.createdAt), ...(isAdmin ? senderPieces(transfer) : []));

const senderPieces = ({ person }: Transfer): Piece[] => [' by ', { user: person }];

export const greeting =
  "Hello! I send files to people outside through your organisation's file service, and tell you when they send you some.";

export const welcomeText = `${greeting} Send me a file here to get started, or type /drop send. Type /drop help for everything else.`;
