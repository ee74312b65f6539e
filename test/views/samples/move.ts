import { movedAnnouncement } from '../../../src/features/inbox/announce/views.ts';
import {
  movedAwayMessage,
  movedHereMessage,
  movedView,
  moveForm,
  noChannelView,
  ownersView,
} from '../../../src/features/inbox/move/views.ts';
import { contentOf } from '../../../src/slack/messages.ts';
import type { Message } from '../../../src/slack/posting.ts';
import type { Samples } from '../hostile-texts.ts';

const posted = ({ text, blocks }: Message) => contentOf(text, blocks);
const channels = Array.from({ length: 60 }, (_, number) => `C0${String(number).padStart(9, '0')}`);

export const samples: Samples = {
  'the channels and people with files': ownersView(['admins', 'C0123456789', 'U0123456789']),
  'the channels and people with files, too many': ownersView(channels),
  'no files to move': ownersView([]),
  'a form to move files': moveForm('C0123456789'),
  'no channel to move files to': noChannelView('C0123456789'),
  'files were moved': movedView(12),
  'a message to the channel that got files': posted(movedHereMessage('U0123456789')),
  'a message to the channel that had files': posted(movedAwayMessage('U0123456789')),
  'a post of moved files': posted(movedAnnouncement()),
};
