import { helpBlocks } from '../../../src/features/help/views.ts';
import type { Samples } from '../hostile-texts.ts';

const lines = Array.from({ length: 20 }, (_, number) => ({
  command: ['send', 'inbox', 'request', 'contacts', 'status'][number] ?? `command${number}`,
  usage: '[topic]',
  summary: 'does something that takes a line to explain to somebody who has never seen it before',
}));

export const samples: Samples = {
  everything: { text: 'Commands', blocks: helpBlocks(lines) },
  'one topic': { text: 'Commands', blocks: helpBlocks(lines, 'send') },
};
