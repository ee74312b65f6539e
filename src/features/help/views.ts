import { actions, type Blocks, button, header, line, list, note, type Piece, section } from '../../slack/blocks.ts';
import { notOnDesk, onlyForWorkspaceAdmins } from '../settings/errors.ts';
import type { Action } from '../settings/permission.ts';
import { requestsOffBlocks } from '../settings/views.ts';
import type { HelpAccess } from './operations.ts';

export interface HelpLine {
  command: string;
  usage: string;
  summary: string;
}

interface Topic {
  /** What a person must be allowed to do to use the command. */
  needs: Action;
  label: string;
  steps: readonly string[];
  /** What to type, and what happens then. */
  example: readonly [typed: string, then: string];
}

/** Every command except `help` has a topic. */
export const topics: Readonly<Record<string, Topic>> = {
  send: {
    needs: 'send',
    label: 'Send files',
    steps: ['Choose recipients and files.', 'Review them.', "Send. I'll update you in our direct messages."],
    example: ['/drop send', 'then choose Ada, attach plan.pdf and click Review.'],
  },
  files: {
    needs: 'send',
    label: 'Files',
    steps: ['Send me files in a direct message.', "Remove what you don't want to send.", 'Type /drop send.'],
    example: ['/drop files', 'shows the files that you sent me.'],
  },
  inbox: {
    needs: 'download',
    label: 'Inbox',
    steps: ['Find the files.', 'Download one of them, or all. I bring them into Slack.'],
    example: ['/drop inbox', 'then click Download next to figures.csv.'],
  },
  request: {
    needs: 'request',
    label: 'Request files',
    steps: [
      'Choose people and write what you need. For several things, add a checklist.',
      'Review and send the request.',
      "I'll tell you when files arrive.",
    ],
    example: ['/drop request', 'then choose Ada and write “Please send the contract.”'],
  },
  contacts: {
    needs: 'view',
    label: 'Contacts',
    steps: ['Search the list, or add a contact.', 'Edit or remove contacts, or put them into groups.'],
    example: ['/drop contacts add ada@example.com 46700000001 Ada', 'adds Ada.'],
  },
  recipients: {
    needs: 'send',
    label: 'Recipients',
    steps: ['Choose recipients. Only you can see them.', 'Your next transfer starts with them.'],
    example: ['/drop recipients clear', 'clears them.'],
  },
  history: {
    needs: 'history',
    label: 'History',
    steps: ['See what was sent, newest first.', 'Search by file, person or message.'],
    example: ['/drop history contract', 'finds transfers that mention “contract”.'],
  },
  status: {
    needs: 'view',
    label: 'Status',
    steps: ['See whether the service is online.', 'See what is being sent now.'],
    example: ['/drop status', 'shows when I last checked for new files.'],
  },
  settings: {
    needs: 'admin',
    label: 'Settings',
    steps: ['Choose a section.', 'Change it and save.'],
    example: ['/drop settings', 'then open the permissions and choose who can send.'],
  },
  audit: {
    needs: 'audit',
    label: 'Audit log',
    steps: ['Filter by person or action.', 'Export the log as CSV if you need it.'],
    example: ['/drop audit', 'then choose a person and click Search.'],
  },
  connect: {
    needs: 'admin',
    label: 'Connect',
    steps: [
      'Get the service URL, an account and its API key from the operator of your file service.',
      'Choose a channel for incoming files, and the unit in which the service counts the expiry.',
      'Enter the key.',
    ],
    example: ['/drop connect', 'then enter https://files.example.com and api@example.com.'],
  },
  disconnect: {
    needs: 'disconnect',
    label: 'Disconnect',
    steps: [
      'Read what is deleted.',
      'Confirm. Active transfers finish, then all data except the audit log is deleted.',
    ],
    example: ['/drop disconnect', 'asks before anything is deleted.'],
  },
};

const commonCommands = ['send', 'inbox', 'request', 'contacts', 'status'];

/** Help on one topic, or a list of the commands that this person can use. */
export function helpBlocks(all: readonly HelpLine[], access: HelpAccess, topic?: string): Blocks {
  if (access.kind === 'outsider') return outsiderBlocks(access);
  if (access.kind === 'no-desk') return [section(notOnDesk().message)];
  const lines = usable(all, access);
  if (topic !== undefined) return topicBlocks(lines, topic, access);
  const buttons = commonCommands.filter((name) => lines.some(({ command }) => command === name));
  return [
    header('Dropline'),
    ...(access.kind === 'unconnected' ? [section(notConnectedText(access.isAdmin))] : []),
    ...(lines.length === 0 ? [] : [list(lines.map(linePieces))]),
    ...(buttons.length === 0 ? [] : [actions(...buttons.map((name) => commandButton(name)))]),
    ...offBlocks(access),
    ...(lines.length === 0 ? [] : [note(`For steps and an example, add a command: /drop help ${lines[0]?.command}`)]),
  ];
}

/** These work without a connected account. The audit log outlives a disconnect. */
const unconnectedCommands = ['connect', 'audit', 'help'];

/** The commands that this person can use. */
export function usable(all: readonly HelpLine[], { kind, can }: HelpAccess): HelpLine[] {
  if (kind === 'outsider' || kind === 'no-desk') return [];
  return all.filter(
    ({ command }) =>
      can(topics[command]?.needs ?? 'view') && (unconnectedCommands.includes(command) || kind === 'connected'),
  );
}

function outsiderBlocks({ connectedBy }: HelpAccess): Blocks {
  return [
    header('Dropline'),
    section("Only members of this workspace can use Dropline. Guests and people from other organisations can't."),
    connectedBy === undefined
      ? line('To send or receive files, ask a member of this workspace.')
      : line('To send or receive files, ask a member of this workspace, for example ', { user: connectedBy }, '.'),
  ];
}

/** Requests aren't listed while they are off, so help says so. */
function offBlocks({ kind, isAdmin, connectedBy, areRequestsOff }: HelpAccess): Blocks {
  return kind === 'connected' && areRequestsOff ? requestsOffBlocks(isAdmin, connectedBy) : [];
}

function topicBlocks(lines: readonly HelpLine[], name: string, access: HelpAccess): Blocks {
  const helpLine = lines.find(({ command }) => command === name);
  const topic = topics[name];
  if (helpLine === undefined || topic === undefined) {
    const off = name === 'request' ? offBlocks(access) : [];
    return [header('Dropline'), ...(off.length > 0 ? off : [section(notUsableText(name, access))])];
  }
  const [typed, then] = topic.example;
  return [
    header(topic.label),
    line(...linePieces(helpLine)),
    list(
      topic.steps.map((step) => [step]),
      'ordered',
    ),
    line({ bold: 'Example: ' }, { code: typed }, ` ${then}`),
    actions(commandButton(name, 'primary')),
  ];
}

function notUsableText(name: string, { isAdmin, can }: HelpAccess): string {
  if (topics[name]?.needs === 'disconnect' && !can('disconnect')) return onlyForWorkspaceAdmins().message;
  if (isAdmin) return notConnectedText(isAdmin);
  const needs = topics[name]?.needs;
  if (needs === 'admin' || needs === 'audit')
    return `Only admins ${needs === 'audit' ? 'and auditors ' : ''}can use /drop ${name}. Ask a workspace admin.`;
  return `You can't use /drop ${name} here. An admin can allow it in the settings.`;
}

function notConnectedText(isAdmin: boolean): string {
  const next = isAdmin ? 'Connect it first.' : 'Ask a workspace admin to type /drop connect.';
  return `This workspace isn't connected to a file service yet. ${next}`;
}

const linePieces = ({ command, usage, summary }: HelpLine): Piece[] => [
  { code: `/drop ${command}${usage === '' ? '' : ` ${usage}`}` },
  ` ${summary}`,
];

const commandButton = (name: string, style?: 'primary') =>
  button(topics[name]?.label ?? name, `help.run#${name}`, { value: name, style });
