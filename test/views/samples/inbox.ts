import type { InboxItem } from '../../../src/features/common/services.ts';
import {
  baselineAnnouncement,
  itemAnnouncement,
  manyAnnouncement,
  severalAnnouncement,
} from '../../../src/features/inbox/announce/views.ts';
import { failedBlocks, failedText, linkMessage } from '../../../src/features/inbox/download/views.ts';
import { filesView, inboxView, itemsOnPage } from '../../../src/features/inbox/views.ts';
import { escapeMrkdwn } from '../../../src/slack/words.ts';
import { nastyEmails, nastyList, nastyTexts, type Sample, type Samples } from '../nasty.ts';

const people = Array.from({ length: 30 }, (_, number) => `U0${String(number).padStart(9, '0')}`);
const names = Array.from({ length: 200 }, (_, number) => `${nastyList[number % nastyList.length]}${number}`);

const plain: InboxItem = {
  url: 'opaque',
  sender: 'carl@example.org',
  createdAt: 1_790_000_000,
  ttl: '7',
  files: ['plan.pdf', 'map.png'],
  isGone: false,
  taken: [{ person: 'U0123456789', file: 'plan.pdf', at: 1_790_000_100_000 }],
};
const nasty: InboxItem = {
  ...plain,
  url: 'x'.repeat(1_000),
  sender: nastyTexts.huge,
  ttl: '1e300',
  files: names,
  filesLeftOut: 1_234_567,
  taken: names.flatMap((file) => people.map((person) => ({ person, file, at: 1_790_000_100_000 }))),
};
const bare: InboxItem = { ...plain, sender: undefined, createdAt: undefined, ttl: undefined, files: [], taken: [] };
const addressed = nastyEmails.map((sender) => ({ ...nasty, sender, files: nastyList }));
const page = { page: 0, total: 500, unit: 'days' as const, asOf: new Date(1_790_000_000_000), isStale: true };
const order = { url: 'opaque', name: nastyTexts.huge ?? '', sender: nastyTexts.mention };

/** As posted: the fallback text is escaped then. */
const posted = ({ text, blocks }: Extract<Sample, { text: string }>) => ({ text: escapeMrkdwn(text), blocks });

export const samples: Samples = {
  'a post': itemAnnouncement({ item: plain, unit: 'days', asked: [] }),
  'a post with nasty data': posted(itemAnnouncement({ item: nasty, unit: 'minutes', asked: people })),
  'a post with minimal data': itemAnnouncement({ item: bare, unit: 'own', asked: [] }),
  'a post of an expired item': posted(
    itemAnnouncement({ item: { ...nasty, isGone: true }, unit: 'days', asked: ['U0123456789'] }),
  ),
  ...Object.fromEntries(
    nastyList.map((name, number) => [
      `a post with nasty name ${number}`,
      posted(itemAnnouncement({ item: { ...plain, files: [name], sender: name }, unit: 'days', asked: [] })),
    ]),
  ),
  'a post for several requesters': posted(severalAnnouncement(nasty, people)),
  'a combined post': posted(
    manyAnnouncement([...addressed, nasty, ...names.map((sender) => ({ ...plain, sender }))], 1_234_567),
  ),
  'the summary at connect': baselineAnnouncement(1),
  'the summary, over the limit': baselineAnnouncement(2_000, 1_234_567),
  'the summary of an empty inbox': baselineAnnouncement(0),
  'the inbox': inboxView({ ...page, items: [plain], total: 1 }),
  'the inbox, empty and never read': inboxView({ ...page, items: [], total: 0, asOf: undefined }),
  'the inbox with nasty data': inboxView({
    ...page,
    items: Array.from({ length: itemsOnPage }, () => nasty),
    page: 30,
    leftOut: 1_234_567,
    said: nastyTexts.huge,
  }),
  'all files': filesView({ item: nasty, page: 3, unit: 'days', said: nastyTexts.mention }),
  'a failed download': posted({
    text: failedText(order, nastyTexts.huge ?? ''),
    blocks: failedBlocks(order, failedText(order, nastyTexts.huge ?? ''), true),
  }),
  'a link': posted(linkMessage(order, `https://dropline.example.com/d/T0123.${'k'.repeat(43)}`)),
};
