import type { HelpAccess } from '../../../src/features/help/operations.ts';
import { helpBlocks, topics } from '../../../src/features/help/views.ts';
import type { Samples } from '../hostile-texts.ts';

const lines = [...Object.keys(topics), ...Array.from({ length: 8 }, (_, number) => `command${number}`)].map(
  (command) => ({
    command,
    usage: '[topic]',
    summary: 'does something that takes a line to explain to somebody who has never seen it before',
  }),
);
const admin: HelpAccess = {
  kind: 'connected',
  isAdmin: true,
  connectedBy: 'U0123456789',
  areRequestsOff: false,
  can: () => true,
};
const member: HelpAccess = { ...admin, isAdmin: false, can: (action) => action === 'view' };

const everyday = [
  { command: 'send', usage: '', summary: 'Send files to people outside' },
  { command: 'inbox', usage: '', summary: "View files you've received" },
  { command: 'request', usage: '', summary: 'Request files with an upload link' },
  { command: 'contacts', usage: '[add <email>]', summary: 'Manage contacts' },
  { command: 'status', usage: '', summary: 'Check connection and activity' },
  { command: 'help', usage: '[topic]', summary: 'Show this help' },
];

export const samples: Samples = {
  everyday: { text: 'Commands', blocks: helpBlocks(everyday, { ...admin, isAdmin: false }) },
  'everyday, one topic': { text: 'Commands', blocks: helpBlocks(everyday, admin, 'send') },
  'while requests are off, for an admin': {
    text: 'Commands',
    blocks: helpBlocks(lines, { ...admin, areRequestsOff: true }),
  },
  'while requests are off, for a member': {
    text: 'Commands',
    blocks: helpBlocks(lines, { ...member, areRequestsOff: true }, 'request'),
  },
  everything: { text: 'Commands', blocks: helpBlocks(lines, admin) },
  'what a member can use': { text: 'Commands', blocks: helpBlocks(lines, member) },
  'not connected, for an admin': { text: 'Commands', blocks: helpBlocks(lines, { ...admin, kind: 'unconnected' }) },
  'not connected, for a member': { text: 'Help', blocks: helpBlocks(lines, { ...member, kind: 'unconnected' }) },
  'for a guest': { text: 'Help', blocks: helpBlocks(lines, { ...member, kind: 'outsider' }) },
  'one topic': { text: 'Commands', blocks: helpBlocks(lines, admin, 'send') },
  'a topic for admins only': { text: 'Commands', blocks: helpBlocks(lines, member, 'audit') },
};
