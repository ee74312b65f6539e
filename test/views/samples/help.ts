import { helpBlocks } from '../../../src/features/help/views.ts';
import type { Samples } from '../hostile-texts.ts';

const lines = Array.from({ length: 20 }, (_, number) => ({
  command: ['send', 'inbox', 'request', 'contacts', 'status'][number] ?? `command${number}`,
  usage: '[topic]',
  summary: 'does something that takes a line to explain to somebody who has never seen it before',
}));

const everyday = [
  { command: 'send', usage: '', summary: 'Send files to people outside' },
  { command: 'inbox', usage: '', summary: "View files you've received" },
  { command: 'request', usage: '', summary: 'Request files with an upload link' },
  { command: 'contacts', usage: '[add <email>]', summary: 'Manage contacts' },
  { command: 'status', usage: '', summary: 'Check connection and activity' },
  { command: 'help', usage: '[topic]', summary: 'Show this help' },
];

export const samples: Samples = {
  everyday: { text: 'Commands', blocks: helpBlocks(everyday) },
  everything: { text: 'Commands', blocks: helpBlocks(lines) },
  'one topic': { text: 'Commands', blocks: helpBlocks(lines, 'send') },
};
