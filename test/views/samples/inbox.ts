import { linkMessage, usedLinkText } from '../../../src/features/common/delivery/links.ts';
import type { InboxItem } from '../../../src/features/common/services.ts';
import {
  baselineAnnouncement,
  combinedAnnouncement,
  itemAnnouncement,
  itemsAnnouncement,
  sharedRequestAnnouncement,
} from '../../../src/features/inbox/announce/views.ts';
import { batchEndText, batchText, failedBlocks, failedText } from '../../../src/features/inbox/download/views.ts';
import { filesView, inboxView, itemsOnPage } from '../../../src/features/inbox/list/views.ts';
import { takeOverView, workChangedMessage, workResultView } from '../../../src/features/inbox/work/views.ts';
import { contentOf } from '../../../src/slack/messages.ts';
import type { Message } from '../../../src/slack/posting.ts';
import { escapeMrkdwn } from '../../../src/slack/words.ts';

import { hostileEmails, hostileList, hostileTexts, type Sample, type Samples } from '../hostile-texts.ts';

const people = Array.from({ length: 30 }, (_, number) => `U0${String(number).padStart(9, '0')}`);
const names = Array.from({ length: 200 }, (_, number) => `${hostileList[number % hostileList.length]}${number}`);

const plain: InboxItem = {
  url: 'opaque',
  sender: 'carl@example.org',
  createdAt: 1_790_000_000,
  expiresAfter: '7',
  files: ['plan.pdf', 'map.png'],
  isGone: false,
  belongsTo: ['C0123456789'],
  downloads: [{ person: 'U0123456789', file: 'plan.pdf', at: 1_790_000_100_000 }],
};
const hostile: InboxItem = {
  ...plain,
  url: 'x'.repeat(1_000),
  sender: hostileTexts.huge,
  expiresAfter: '1e300',
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
const at = new Date(1_790_000_200_000);
const taken = { taken: { person: 'U0123456789', at } };
const done = { ...taken, done: { person: 'U0ADMIN', at } };
const bare: InboxItem = {
  ...plain,
  sender: undefined,
  createdAt: undefined,
  expiresAfter: undefined,
  files: [],
  downloads: [],
};
const addressed = hostileEmails.map((sender) => ({ ...hostile, sender, files: hostileList }));
const page = { page: 0, total: 500, unit: 'days' as const, asOf: new Date(1_790_000_000_000), lastFailure: 'refused' };
const download = { url: 'opaque', name: hostileTexts.huge ?? '', sender: hostileTexts.mention };

const queuedDownload = { name: 'plan.pdf', sender: 'carl@example.org', id: 'order', url: 'opaque', isInThread: false };

/** A message as it is posted, with an escaped fallback text. */
const posted = ({ text, blocks }: Extract<Sample, { text: string }>) => ({ text: escapeMrkdwn(text), blocks });

/** A message as it is posted, with a shortened fallback text. */
const shortened = ({ text, blocks }: Message) => contentOf(text, blocks);

const posts = (items: InboxItem[], requesters: string[] = []) =>
  items.map((item) => ({ item, unit: 'days' as const, requesters }));

const everydayDownload = { url: 'opaque', name: 'plan.pdf', sender: 'carl@example.org' };

export const samples: Samples = {
  'a failed download, everyday': {
    text: failedText(everydayDownload, "The service isn't responding."),
    blocks: failedBlocks(everydayDownload, failedText(everydayDownload, "The service isn't responding."), true),
  },
  'a link, everyday': linkMessage(everydayDownload, `https://dropline.example.com/d/T0123.${'k'.repeat(43)}`, true),
  'a post for several requesters, everyday': sharedRequestAnnouncement(plain, people.slice(0, 2)),
  'a requested post': itemAnnouncement({ item: plain, unit: 'days', requesters: ['U0123456789'] }),
  'a combined post, everyday': combinedAnnouncement({
    items: [plain, { ...plain, sender: 'dora@example.net' }],
    isRestored: false,
  }),
  'files of an item': filesView({ item: plain, page: 0, unit: 'days' }),
  'a post of two items, everyday': itemsAnnouncement(
    posts([plain, { ...plain, files: ['offer.docx'], downloads: [] }]),
  ),
  'a digest, everyday': itemsAnnouncement(
    posts([plain, { ...plain, sender: 'dora@example.net', files: ['offer.docx'], downloads: [] }]),
    true,
  ),
  'an item whose file list is too large': itemsAnnouncement(posts([{ ...plain, files: [], filesLeftOut: 1_000 }])),
  'a digest with hostile data': shortened(itemsAnnouncement(posts(Array(8).fill(hostile), people), true)),
  'a digest with hostile infected files': shortened(itemsAnnouncement(posts(Array(8).fill(infected), people), true)),
  'a digest with many downloads': shortened(
    itemsAnnouncement(posts(Array(8).fill({ ...hostile, files: names.slice(0, 1), filesLeftOut: undefined })), true),
  ),
  'a post': itemAnnouncement({ item: plain, unit: 'days', requesters: [] }),
  'a post with Take and Done': itemAnnouncement({ item: { ...plain, work: {} }, unit: 'days', requesters: [] }),
  'a post of a taken item': itemAnnouncement({ item: { ...plain, work: taken }, unit: 'days', requesters: [] }),
  'a post of an item that is done': itemAnnouncement({
    item: { ...plain, work: done },
    unit: 'days',
    requesters: [],
  }),
  'a post with hostile data and Take': posted(
    itemAnnouncement({ item: { ...infected, work: taken }, unit: 'minutes', requesters: people }),
  ),
  'taking over an item': takeOverView({ ...plain, work: taken }, 'U0ADMIN', { page: 0, work: 'open' }),
  'taking over an item with hostile data': takeOverView({ ...hostile, work: taken }, 'U0ADMIN', undefined),
  'an item that someone else has': workResultView({ ...plain, work: taken }, 'U0ADMIN'),
  'an item that was taken over': workChangedMessage(plain, 'U0ADMIN', 'taken'),
  'an item that someone else marked as done': posted(workChangedMessage(hostile, 'U0ADMIN', 'done')),
  'an item that someone else reopened': workChangedMessage(plain, 'U0ADMIN', 'reopened'),
  'the inbox with Take and Done': inboxView({
    ...page,
    items: [plain, plain, plain].map((item, index) => ({ ...item, work: [{}, taken, done][index] })),
    total: 3,
    hasWork: true,
    hasTaken: true,
    notice: ['1 file from carl@example.org: Taken by ', { user: 'U0123456789' }],
  }),
  'the inbox of which only the newest items were searched': inboxView({
    ...page,
    items: [],
    total: 0,
    isNew: true,
    searched: 180,
  }),
  'the inbox with nothing taken': inboxView({ ...page, items: [], total: 0, work: 'mine', hasWork: true }),
  'the inbox with hostile data and Take': inboxView({
    ...page,
    items: Array.from({ length: itemsOnPage }, () => ({ ...hostile, work: done })),
    hasWork: true,
    work: 'done',
  }),
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
  'a post for several requesters': posted(sharedRequestAnnouncement(hostile, people)),
  'a combined post': posted(
    combinedAnnouncement(
      { items: [...addressed, hostile, ...names.map((sender) => ({ ...plain, sender }))], isRestored: true },
      1_234_567,
    ),
  ),
  'the summary at connect': baselineAnnouncement(1, 0, 'U0123456789'),
  'the summary, over the limit': baselineAnnouncement(2_000, 1_234_567),
  'the summary of an empty inbox': baselineAnnouncement(0),
  'the inbox': inboxView({ ...page, items: [plain], total: 1 }),
  'the inbox with several items': inboxView({
    ...page,
    items: [plain, { ...plain, url: 'another', sender: 'dora@example.net', downloads: [] }],
    total: 2,
    lastFailure: undefined,
    notice: batchText({
      answers: [queuedDownload, queuedDownload, queuedDownload],
      remaining: 3,
      infected: 1,
      batch: undefined,
    }),
  }),
  'the inbox after a batch': inboxView({
    ...page,
    items: [plain],
    total: 1,
    lastFailure: undefined,
    notice: batchEndText({ total: 5, failed: 1 }),
  }),
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
  'the inbox of an admin, with a scanned item': inboxView({ ...page, items: [scanned], total: 1, isAdmin: true }),
  'the inbox of an admin, with infected files': inboxView({
    ...page,
    items: Array.from({ length: itemsOnPage }, () => infected),
    isAdmin: true,
  }),
  'all files for an admin, infected': filesView({ item: infected, page: 3, unit: 'days', isAdmin: true }),
  'all files, infected': filesView({ item: infected, page: 3, unit: 'days', notice: undefined }),
  'all files': filesView({ item: hostile, page: 3, unit: 'days', notice: hostileTexts.mention }),
  'a failed download': posted({
    text: failedText(download, hostileTexts.huge ?? ''),
    blocks: failedBlocks(download, failedText(download, hostileTexts.huge ?? ''), true),
  }),
  'a used link': contentOf(usedLinkText(download)),
  'a link to an infected file': linkMessage(
    { ...download, signature: 'x'.repeat(100) },
    'https://dropline.example.com/d/T0123.k',
    true,
  ),
  'a link': linkMessage(download, `https://dropline.example.com/d/T0123.${'k'.repeat(43)}`, false),
};
