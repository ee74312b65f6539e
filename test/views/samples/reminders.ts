import type { InboxItem } from '../../../src/features/common/services.ts';
import { itemsReminder, requestReminder } from '../../../src/features/inbox/reminders/views.ts';
import { bounds } from '../../../src/lib/bounds.ts';
import { contentOf } from '../../../src/slack/messages.ts';
import type { Message } from '../../../src/slack/posting.ts';
import { everydayDate } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const plain: InboxItem = {
  url: 'opaque',
  sender: 'ada@partner.example',
  createdAt: everydayDate.getTime() / 1000,
  expiresAfter: '7',
  files: ['plan.pdf', 'map.png'],
  isGone: false,
  belongsTo: ['C0123456789'],
  downloads: [],
};
const hostile: InboxItem = {
  ...plain,
  sender: hostileTexts.huge,
  expiresAfter: '1e300',
  files: Array.from({ length: 1_000 }, (_, number) => `${hostileList[number % hostileList.length]}${number}`),
  filesLeftOut: 1_234_567,
};
const request = {
  about: 'request',
  id: '7d1c6a86-53b5-4b4e-9a35-0f9c6d1e1c11',
  emails: ['ada@partner.example', 'grace@lab.example'],
  expiresAt: everydayDate.getTime() / 1000,
} as const;

const posted = ({ text, blocks }: Message) => contentOf(text, blocks);

const pause = { reason: 'Audit until Friday', person: 'U0123456789', since: everydayDate };
const hostilePause = { ...pause, reason: (hostileTexts.huge ?? '').slice(0, bounds.pauseReasonChars) };

export const samples: Samples = {
  'a reminder while downloads are paused': itemsReminder([plain], 'days', false, { downloads: pause }),
  'a reminder of a request while requests are paused': requestReminder(request, { requests: pause }),
  'a reminder with a hostile reason of a pause': posted(
    itemsReminder([hostile], 'days', true, { downloads: hostilePause }),
  ),
  'a reminder of a request with a hostile reason of a pause': posted(
    requestReminder(request, { requests: hostilePause }),
  ),
  'an everyday reminder in a thread': itemsReminder([plain], 'days', false),
  'an everyday reminder for a requester': itemsReminder([plain, { ...plain, sender: undefined }], 'days', true),
  'an everyday reminder of a request': requestReminder(request),
  'a reminder with hostile data': posted(
    itemsReminder(
      Array.from({ length: 200 }, () => hostile),
      'minutes',
      true,
    ),
  ),
  'a reminder of a request with hostile data': posted(
    requestReminder({
      ...request,
      emails: Array.from({ length: 200 }, (_, number) => `${number}${hostileEmails[number % hostileEmails.length]}`),
    }),
  ),
};
