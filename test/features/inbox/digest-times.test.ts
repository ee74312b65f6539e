import { expect, test } from 'vitest';
import type { InboxItem } from '../../../src/features/common/services.ts';
import { type Digest, digestTimes, dueItems, splitIntoPosts } from '../../../src/features/inbox/announce/operations.ts';
import { hourText } from '../../../src/features/settings/inbox-channels.ts';
import { knownZone } from '../../../src/lib/time-zone.ts';

const digestAt = (hour: number, zone: string): Digest => ({ posts: 'day', hour, zone });
const timesAt = (digest: Digest, now: string) => {
  const { previous, next } = digestTimes(digest, Date.parse(now));
  return [previous, next].map((time) => new Date(time).toISOString().slice(0, 16));
};

test.each([
  ['2026-11-16T10:14:59.999Z', '2026-11-16T10:00', '2026-11-16T11:00'],
  ['2026-11-16T10:00:00Z', '2026-11-16T10:00', '2026-11-16T11:00'],
  ['2026-11-16T23:59:00Z', '2026-11-16T23:00', '2026-11-17T00:00'],
])('an hourly digest, at %s, was last due at %s and is next due at %s', (now, previous, next) => {
  expect(timesAt({ ...digestAt(9, 'UTC'), posts: 'hour' }, now)).toEqual([previous, next]);
});

/** Clocks in Stockholm skip 2:00 to 3:00 on March 29, 2026, and repeat it on October 25. */
test.each([
  ['an ordinary day', 9, 'Europe/Stockholm', '2026-11-16T07:59:00Z', '2026-11-15T08:00', '2026-11-16T08:00'],
  ['the exact hour', 9, 'Europe/Stockholm', '2026-11-16T08:00:00Z', '2026-11-16T08:00', '2026-11-17T08:00'],
  ['the day clocks go forward', 9, 'Europe/Stockholm', '2026-03-29T00:30:00Z', '2026-03-28T08:00', '2026-03-29T07:00'],
  ['a skipped hour', 2, 'Europe/Stockholm', '2026-03-29T00:30:00Z', '2026-03-28T01:00', '2026-03-29T01:00'],
  [
    'the day after a skipped hour',
    2,
    'Europe/Stockholm',
    '2026-03-29T01:00:00Z',
    '2026-03-29T01:00',
    '2026-03-30T00:00',
  ],
  ['the day clocks go back', 9, 'Europe/Stockholm', '2026-10-24T22:30:00Z', '2026-10-24T07:00', '2026-10-25T08:00'],
  [
    'a repeated hour, first time',
    2,
    'Europe/Stockholm',
    '2026-10-24T23:59:00Z',
    '2026-10-24T00:00',
    '2026-10-25T00:00',
  ],
  [
    'a repeated hour, second time',
    2,
    'Europe/Stockholm',
    '2026-10-25T01:30:00Z',
    '2026-10-25T00:00',
    '2026-10-26T01:00',
  ],
  [
    'a date that differs from UTC',
    20,
    'America/Los_Angeles',
    '2026-11-17T03:00:00Z',
    '2026-11-16T04:00',
    '2026-11-17T04:00',
  ],
  [
    'the other side of the date line',
    0,
    'Pacific/Auckland',
    '2026-11-16T12:00:00Z',
    '2026-11-16T11:00',
    '2026-11-17T11:00',
  ],
  ['a time zone with half an hour', 9, 'Asia/Kolkata', '2026-11-16T03:29:00Z', '2026-11-15T03:30', '2026-11-16T03:30'],
  [
    'a clock change by half an hour',
    2,
    'Australia/Lord_Howe',
    '2026-10-03T12:00:00Z',
    '2026-10-02T15:30',
    '2026-10-03T15:30',
  ],
])('a daily digest is due at the right time: %s', (_, hour, zone, now, previous, next) => {
  expect(timesAt(digestAt(hour, zone), now)).toEqual([previous, next]);
});

test('each day of a year has one digest, also when daylight saving time begins or ends', () => {
  const digest = digestAt(2, 'Europe/Stockholm');
  const dateOf = new Intl.DateTimeFormat('sv', { timeZone: digest.zone });
  const days = new Set<string>();
  let now = Date.UTC(2026, 0, 1);
  for (let day = 0; day < 366; day += 1) {
    const { next } = digestTimes(digest, now);
    days.add(dateOf.format(next));
    now = next;
  }
  expect(days.size).toBe(366);
  expect(dateOf.format(now)).toBe('2027-01-01');
});

test('an unknown time zone becomes UTC', () => {
  expect(['Europe/Stockholm', 'Mars/Olympus', '', undefined].map(knownZone)).toEqual([
    'Europe/Stockholm',
    'UTC',
    'UTC',
    'UTC',
  ]);
});

const plain: InboxItem = {
  url: 'u',
  sender: 'carl@example.org',
  createdAt: undefined,
  expiresAfter: undefined,
  foundAt: 1,
  files: ['a.pdf'],
  isGone: false,
  belongsTo: ['C0123456789'],
  downloads: [],
};
const storedItem = (url: string, more: Partial<InboxItem> = {}, firstSeen = 0): InboxItem => ({
  ...plain,
  url,
  ...more,
  firstSeen,
});
const urlsIn = (posts: InboxItem[][]) => posts.map((post) => post.map(({ url }) => url).join(' '));

test('without a digest, items share a post only if poll and sender are the same', () => {
  const items = [
    storedItem('a'),
    storedItem('b', { sender: 'dora@example.net' }),
    storedItem('c', { sender: ' CARL@example.org' }),
    storedItem('d', { foundAt: 2 }),
    storedItem('e', { sender: undefined }),
    storedItem('f', { sender: undefined }),
    storedItem('g', { foundAt: undefined }),
  ];
  expect(urlsIn(splitIntoPosts({ digest: undefined, items }))).toEqual(['a c', 'b', 'd', 'e', 'f', 'g']);
  expect(urlsIn(splitIntoPosts({ digest: digestAt(9, 'UTC'), items }))).toEqual(['a b c d e f g']);
});

test('a digest is split so that each post has room for its items', () => {
  const names = (count: number) => Array.from({ length: count }, (_, number) => `${number}.pdf`);
  const sizes = (counts: number[]) =>
    splitIntoPosts({
      digest: digestAt(9, 'UTC'),
      items: counts.map((count, index) => storedItem(`u${index}`, { files: names(count) })),
    }).map((post) => post.length);
  expect(sizes(Array(20).fill(1))).toEqual([8, 8, 4]);
  expect(sizes([5, 5, 5, 5])).toEqual([3, 1]);
  expect(sizes([1_000, 1_000, 1])).toEqual([1, 2]);
});

test('a digest contains only the items found before it was due', () => {
  const requestMatch = { kind: 'unrequested' as const, requests: [] };
  const noon = Date.UTC(2026, 10, 16, 12);
  const digest = { ...digestAt(9, 'UTC'), posts: 'hour' as const };
  const items = [storedItem('early', {}, noon - 1), storedItem('late', {}, noon + 1)];
  const group = { channel: 'C1', isPrivate: false, requestMatch, digest, items };
  const { groups, nextAt } = dueItems([group], noon + 60_000);
  expect(groups.map((one) => urlsIn([one.items]))).toEqual([['early']]);
  expect(nextAt).toBe(noon + 3_600_000);
  expect(dueItems([{ ...group, digest: undefined }], noon + 60_000)).toMatchObject({
    groups: [{ items }],
    nextAt: undefined,
  });
});

/** Hourly arrivals around a clock change of the zone. Resolves with the longest wait of an item, in hours. */
function longestWait(from: string, zoneAt: (day: number) => string): number {
  const requestMatch = { kind: 'unrequested' as const, requests: [] };
  const start = Date.parse(from);
  let waiting: InboxItem[] = [];
  let longest = 0;
  let posted = 0;
  for (let hour = 0; hour < 20 * 24; hour += 1) {
    const now = start + hour * 3_600_000;
    const digest = digestAt(2, zoneAt(hour / 24));
    const { groups } = dueItems([{ channel: 'C1', isPrivate: false, requestMatch, digest, items: waiting }], now);
    const due = groups.flatMap(({ items }) => items);
    longest = Math.max(longest, ...due.map(({ firstSeen = 0 }) => (now - firstSeen) / 3_600_000));
    posted += due.length;
    waiting = [...waiting.filter((item) => !due.includes(item)), storedItem(`${hour}`, {}, now)];
  }
  expect(posted + waiting.length).toBe(20 * 24);
  return longest;
}

test('an item waits about a day when clocks change, and two after a change of zone', () => {
  expect(longestWait('2026-03-20T00:30:00Z', () => 'Europe/Stockholm')).toBeLessThanOrEqual(24);
  expect(longestWait('2026-10-15T00:30:00Z', () => 'Europe/Stockholm')).toBeLessThanOrEqual(25);
  const moving = (day: number) => (day < 9.5 ? 'Europe/Stockholm' : 'America/Los_Angeles');
  expect(longestWait('2026-03-20T00:30:00Z', moving)).toBeLessThanOrEqual(48);
});

test('the hour of a daily digest is written like other times in Slack', () => {
  expect([0, 9, 12, 23].map(hourText)).toEqual(['12:00 AM', '9:00 AM', '12:00 PM', '11:00 PM']);
});
