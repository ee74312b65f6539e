import type { InboxItem } from '../../../src/features/common/services.ts';
import {
  baselineAnnouncement,
  itemAnnouncement,
  manyAnnouncement,
  severalAnnouncement,
} from '../../../src/features/inbox/announce/views.ts';
import { failedBlocks, failedText, linkMessage, usedLinkText } from '../../../src/features/inbox/download/views.ts';
import { filesView, inboxView, itemsOnPage } from '../../../src/features/inbox/views.ts';
import { contentOf } from '../../../src/slack/messages.ts';
import { escapeMrkdwn } from '../../../src/slack/words.ts';

import { hostileEmails, hostileList, hostileTexts, type Sample, type Samples } from '../hostile-texts.ts';

const people = Array.from({ length: 30 }, (_, number) => `U0${String(number).padStart(9, '0')}`);
const names = Array.from({ length: 200 }, (_, number) => `${hostileList[number % hostileList.length]}${number}`);

const plain: InboxItem = {
  url: 'opaque',
  sender: 'carl@example.org',
  createdAt: 1_790_000_000,
  ttl: '7',
  files: ['plan.pdf', 'map.png'],
  isGone: false,
  downloads: [{ person: 'U0123456789', file: 'plan.pdf', at: 1_790_000_100_000 }],
};
const hostile: InboxItem = {
  ...plain,
  url: 'x'.repeat(1_000),
  sender: hostileTexts.huge,
  ttl: '1e300',
  files: names,
  filesLeftOut: 1_234_567,
  downloads: names.flatMap((file) => people.map((person) => ({ person, file, at: 1_790_000_100_000 }))),
};
const scanned: InboxItem = {
  ...plain,
  scans: [
    { file: 'plan.pdf', state: 'infected', detail: 'Win.Test.EICAR_HDB-1' },
    { file: 'map.png', state: 'not-scanned', detail: 'The file is larger than the scanner accepts.' },
  ],
};
const infected: InboxItem = {
  ...hostile,
  scans: names.map((file) => ({ file, state: 'infected' as const, detail: 'x'.repeat(100) })),
};
const bare: InboxItem = { ...plain, sender: undefined, createdAt: undefined, ttl: undefined, files: [], downloads: [] };
const addressed = hostileEmails.map((sender) => ({ ...hostile, sender, files: hostileList }));
const page = { page: 0, total: 500, unit: 'days' as const, asOf: new Date(1_790_000_000_000), lastFailure: 'refused' };
const download = { url: 'opaque', name: hostileTexts.huge ?? '', sender: hostileTexts.mention };

/** A message as it is posted, with an escaped fallback text. */
const posted = ({ text, blocks }: Extract<Sample, { text: string }>) => ({ text: escapeMrkdwn(text), blocks });

const everydayDownload = { url: 'opaque', name: 'plan.pdf', sender: 'carl@example.org' };

export const samples: Samples = {
  'a failed download, everyday': {
    text: failedText(everydayDownload, "The service isn't responding."),
    blocks: failedBlocks(everydayDownload, failedText(everydayDownload, "The service isn't responding."), true),
  },
  'a link, everyday': linkMessage(everydayDownload, `https://dropline.example.com/d/T0123.${'k'.repeat(43)}`),
  'a post for several requesters, everyday': severalAnnouncement(plain, people.slice(0, 2)),
  'a requested post': itemAnnouncement({ item: plain, unit: 'days', requesters: ['U0123456789'] }),
  'a combined post, everyday': manyAnnouncement([plain, { ...plain, sender: 'dora@example.net' }], 0),
  'files of an item': filesView({ item: plain, page: 0, unit: 'days' }),
  'a post': itemAnnouncement({ item: plain, unit: 'days', requesters: [] }),
  'a post with hostile data': posted(itemAnnouncement({ item: hostile, unit: 'minutes', requesters: people })),
  'a post with scanned files': itemAnnouncement({ item: scanned, unit: 'days', requesters: [] }),
  'a post with hostile infected files': posted(itemAnnouncement({ item: infected, unit: 'days', requesters: people })),
  'a post with minimal data': itemAnnouncement({ item: bare, unit: 'own', requesters: [] }),
  'a post of an expired item': posted(
    itemAnnouncement({ item: { ...hostile, isGone: true }, unit: 'days', requesters: ['U0123456789'] }),
  ),
  ...Object.fromEntries(
    hostileList.map((name, number) => [
      `a post with hostile name ${number}`,
      posted(itemAnnouncement({ item: { ...plain, files: [name], sender: name }, unit: 'days', requesters: [] })),
    ]),
  ),
  'a post for several requesters': posted(severalAnnouncement(hostile, people)),
  'a combined post': posted(
    manyAnnouncement([...addressed, hostile, ...names.map((sender) => ({ ...plain, sender }))], 1_234_567),
  ),
  'the summary at connect': baselineAnnouncement(1),
  'the summary, over the limit': baselineAnnouncement(2_000, 1_234_567),
  'the summary of an empty inbox': baselineAnnouncement(0),
  'the inbox': inboxView({ ...page, items: [plain], total: 1 }),
  'the inbox, empty and never read': inboxView({ ...page, items: [], total: 0, asOf: undefined }),
  'the inbox, everything downloaded': inboxView({ ...page, items: [], total: 0, isNew: true }),
  'the inbox with hostile data': inboxView({
    ...page,
    items: Array.from({ length: itemsOnPage }, () => hostile),
    page: 30,
    leftOut: 1_234_567,
    notice: hostileTexts.huge,
  }),
  'the inbox with infected files': inboxView({ ...page, items: Array.from({ length: itemsOnPage }, () => infected) }),
  'all files, infected': filesView({ item: infected, page: 3, unit: 'days', notice: undefined }),
  'all files': filesView({ item: hostile, page: 3, unit: 'days', notice: hostileTexts.mention }),
  'a failed download': posted({
    text: failedText(download, hostileTexts.huge ?? ''),
    blocks: failedBlocks(download, failedText(download, hostileTexts.huge ?? ''), true),
  }),
  'a used link': contentOf(usedLinkText(download)),
  'a link to an infected file': posted(
    linkMessage({ ...download, signature: 'x'.repeat(100) }, 'https://dropline.example.com/d/T0123.k'),
  ),
  'a link': posted(linkMessage(download, `https://dropline.example.com/d/T0123.${'k'.repeat(43)}`)),
};
