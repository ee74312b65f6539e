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
const admin: HelpAccess = { kind: 'connected', isAdmin: true, connectedBy: 'U0123456789', can: () => true };
const member: HelpAccess = { ...admin, isAdmin: false, can: (action) => action === 'view' };

export const samples: Samples = {
  everything: { text: 'Commands', blocks: helpBlocks(lines, admin) },
  'what a member can use': { text: 'Commands', blocks: helpBlocks(lines, member) },
  'not connected, for an admin': { text: 'Commands', blocks: helpBlocks(lines, { ...admin, kind: 'unconnected' }) },
  'not connected, for a member': { text: 'Help', blocks: helpBlocks(lines, { ...member, kind: 'unconnected' }) },
  'for a guest': { text: 'Help', blocks: helpBlocks(lines, { ...member, kind: 'outsider' }) },
  'one topic': { text: 'Commands', blocks: helpBlocks(lines, admin, 'send') },
  'a topic for admins only': { text: 'Commands', blocks: helpBlocks(lines, member, 'audit') },
};
