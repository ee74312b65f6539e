import { expect, test } from 'vitest';
import { dayOf, endOfDay, isDay, knownZone, startOfDay } from '../src/lib/time-zone.ts';

const iso = (time: number) => new Date(time).toISOString();

test.each([
  ['UTC', '2026-11-16', '2026-11-16T00:00:00.000Z', '2026-11-17T00:00:00.000Z'],
  ['Europe/Stockholm', '2026-11-16', '2026-11-15T23:00:00.000Z', '2026-11-16T23:00:00.000Z'],
  ['America/New_York', '2026-11-16', '2026-11-16T05:00:00.000Z', '2026-11-17T05:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-16', '2026-11-15T10:00:00.000Z', '2026-11-16T10:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-16', '2026-11-15T18:15:00.000Z', '2026-11-16T18:15:00.000Z'],
  // The clock changes on these days.
  ['Europe/Stockholm', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  // The clock skips midnight, or shows it twice.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
  ['America/Santiago', '2026-09-05', '2026-09-05T04:00:00.000Z', '2026-09-06T04:00:00.000Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
])('in %s, the day %s starts at %s and ends at %s', (zone, day, start, end) => {
  expect(iso(startOfDay(day, zone))).toBe(start);
  expect(iso(endOfDay(day, zone))).toBe(end);
  expect([startOfDay(day, zone), endOfDay(day, zone) - 1].map((time) => dayOf(time, zone))).toEqual([day, day]);
});

test('isDay accepts only days that exist; an unknown time zone becomes UTC', () => {
  expect(['2026-02-28', '2024-02-29'].map(isDay)).toEqual([true, true]);
  expect(['2026-02-29', '2026-13-01', '2026-1-1', '', '2026-11-16T00:00'].map(isDay).includes(true)).toBe(false);
  expect(['Mars/Olympus', undefined, 'Europe/Stockholm'].map(knownZone)).toEqual(['UTC', 'UTC', 'Europe/Stockholm']);
});
