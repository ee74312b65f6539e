import type { Button, HomeView } from '@slack/types';
import {
  actions,
  type Blocks,
  button,
  header,
  line,
  list,
  moment,
  note,
  type Piece,
  section,
} from '../../slack/blocks.ts';
import { cutTo, fitMiddle } from '../../slack/limits.ts';
import { andList, oneLine } from '../../slack/words.ts';
import type { InboxItem } from '../common/services.ts';
import { isProbablyNotSent } from '../transfers/card.ts';
import type { Transfer } from '../transfers/repository.ts';
import type { ConnectedHome, Home } from './operations.ts';

export function homeView(home: Home, support?: string): HomeView {
  return {
    type: 'home',
    blocks: [header('Dropline'), ...blocksOf(home), header('Support'), supportLine(home, support)],
  };
}

/** The operator's contact, and the person who set up Dropline in this workspace. */
function supportLine(home: Home, support: string | undefined): Blocks[number] {
  const contactPieces: Piece[] =
    home.kind === 'connected'
      ? ['ask ', { user: home.connectedBy }, ', who set up Dropline here.']
      : ['ask an admin of this workspace.'];
  if (support === undefined) return line('Questions? You can ', ...contactPieces);
  const link = support.startsWith('https:') ? support : `mailto:${support}`;
  return line('Questions? Contact ', { link, text: support }, ', or ', ...contactPieces);
}

function blocksOf(home: Home): Blocks {
  switch (home.kind) {
    case 'outsider':
      return [
        section(
          'Hello! Dropline is for the members of this workspace: guests and people from other organisations cannot use it.',
        ),
        note('If you expect files from somebody here, ask them to send them to your e-mail address.'),
      ];
    case 'unconnected':
      return unconnectedBlocks(home.isAdmin, home.isLeaving);
    case 'connected':
      return connectedBlocks(home);
  }
}

const help = button('Help', 'help.show');

function unconnectedBlocks(isAdmin: boolean, isLeaving: boolean): Blocks {
  const intro = section(
    'Dropline sends files to people outside, and brings you what they send, through the file service of your organisation. You stay in Slack.',
  );
  if (isLeaving) return [intro, section('This workspace is being disconnected from the file service.'), actions(help)];
  return isAdmin
    ? [
        intro,
        section('This workspace is not connected to a file service yet. It takes an address, an account and its key.'),
        actions(button('Connect', 'connect.open', { style: 'primary' }), help),
      ]
    : [
        intro,
        section(
          'This workspace is not connected to a file service yet. Ask an admin of the workspace to type /drop connect.',
        ),
        actions(help),
      ];
}

function connectedBlocks(home: ConnectedHome): Blocks {
  const { username, isAdmin, isHeld, active, sent, inbox } = home;
  return [
    line('Connected to the file service as ', { bold: username }),
    ...(isHeld ? [section('⚠️ Sending is on hold until an admin has looked into it. Status says why.')] : []),
    actions(...quickButtons(home)),
    header('Under way'),
    ...(active.length === 0 ? [section('Nothing of yours is on its way.')] : [list(active.map(transferPieces))]),
    ...(inbox === undefined ? [] : [header('Inbox'), ...inboxBlocks(inbox)]),
    header(isAdmin ? 'Sent lately, by everybody' : 'Sent lately'),
    ...(sent.length === 0
      ? [section('Nothing yet.')]
      : [
          list(sent.map((transfer) => [...transferPieces(transfer), ...(isAdmin ? senderPieces(transfer) : [])])),
          actions(commandButton('All that was sent', 'history')),
        ]),
    note('What Dropline knew when you opened this page.'),
  ];
}

const commandButton = (label: string, command: string, style?: 'primary') =>
  button(label, `help.run#${command}`, { value: command, ...(style === undefined ? {} : { style }) });

function quickButtons({ may, isAdmin }: ConnectedHome): Button[] {
  return [
    ...(may.send ? [commandButton('Send files', 'send', 'primary')] : []),
    ...(may.request ? [commandButton('Ask for files', 'request')] : []),
    commandButton('Contacts', 'contacts'),
    ...(may.download ? [commandButton('Inbox', 'inbox'), commandButton('Status', 'status')] : []),
    ...(isAdmin ? [commandButton('Settings', 'settings'), commandButton('Audit', 'audit')] : []),
    help,
    button('Refresh', 'home.refresh'),
  ];
}

function inboxBlocks(inbox: readonly InboxItem[]): Blocks {
  if (inbox.length === 0) return [section('Nothing to download.')];
  return [list(inbox.map(itemPieces)), actions(commandButton('Open inbox', 'inbox'))];
}

function itemPieces({ sender = '', files, createdAt }: InboxItem): Piece[] {
  const from = fitMiddle(oneLine(sender), 100) || 'somebody';
  const when: Piece[] = createdAt === undefined ? [] : [', ', moment(createdAt)];
  return [`${namesOf(files)} from `, { bold: from }, ...when];
}

function namesOf(names: readonly string[]): string {
  return (
    andList(
      names.map((name) => cutTo(oneLine(name), 100) || '(no name)'),
      3,
    ) || 'no files'
  );
}

const activeTexts: Partial<Record<Transfer['state'], string>> = {
  waiting: 'waits for its turn',
  running: 'is being sent',
  committing: 'is being sent',
  sent: 'was sent and is being checked',
};

const endTexts: Partial<Record<Transfer['state'], string>> = {
  sent: 'sent',
  failed: '⚠️ not sent',
  cancelled: 'cancelled',
  unknown: '⚠️ nobody knows whether it was sent',
};

function endText(state: Transfer['state'], details: Transfer['details']): string | undefined {
  if (state === 'sent' && details?.difference !== undefined) return '⚠️ sent, but not as confirmed';
  if (state === 'sent' && details?.duplicate !== undefined) return '⚠️ sent twice';
  if (state === 'failed' && details !== undefined && isProbablyNotSent(details)) return '⚠️ probably not sent';
  return endTexts[state];
}

function transferPieces({ kind, details, state, endedAt, createdAt }: Transfer): Piece[] {
  const word = (endedAt === undefined ? activeTexts[state] : endText(state, details)) ?? state;
  const subject =
    kind === 'grant'
      ? 'Request for files'
      : details === undefined
        ? 'Dispatch'
        : namesOf(details.files.map(({ name }) => name));
  const recipients = details?.receivers.map(({ email }) => fitMiddle(oneLine(email), 100)) ?? [];
  const to = recipients.length === 0 ? '' : ` to ${andList(recipients, 3)}`;
  return [`${subject}${to}: `, { bold: word }, ', ', moment(createdAt)];
}

const senderPieces = ({ person }: Transfer): Piece[] => [' by ', { user: person }];

export const welcomeText =
  'Hello! I send files to people outside through the file service of your organisation, and tell you what they send. Share files with me here and I ask whom they are for, or type /drop send. /drop help shows everything else.';
