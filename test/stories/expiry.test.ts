import { expect, test } from 'vitest';
import {
  durationUntil,
  expectExpiryOrDate,
  expiryOf,
  expiryPresets,
  typedExpiryOrDate,
} from '../../src/features/settings/expiry.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { expiryPieces } from '../../src/features/transfers/expiry.ts';
import { dayOf, startOfDay } from '../../src/lib/time-zone.ts';
import { moment } from '../../src/slack/blocks.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, stages } from '../helpers/send-steps.ts';
import { dateIn, zone } from './expiry.ts';

const postgres = startTestPostgres();

test('a preset or date sets the expiry; review, card and history show the date', async () => {
  const { anna, bo, acme, services, account } = await setUpApp(postgres);
  const expiry = { expiryUnit: 'days', expiryDefault: 3, expiryLongest: 14 } as const;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, expiry);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'Here you are');
  expect(bo.screen()).not.toContain('[30 days]');
  await bo.clicks('7 days');
  await bo.sees('Expires after (days): 7');
  await bo.sees('Message (optional): Here you are');
  await bo.fills('Choose a date', dateIn(20));
  await bo.sees(`Expires after (days): ${dateIn(20)}`);
  await bo.sees('Message (optional): Here you are');
  await bo.submits('Review');
  await bo.sees('The maximum in this workspace is 14 days.');
  await bo.fills('Choose a date', '2020-01-01');
  await bo.sees("2020-01-01 is too early or isn't a date. Choose a later date.");
  // Older forms told people to type a date, so a typed date must still work.
  await bo.fills('Expires after (days)', dateIn(10));
  await bo.submits('Review');
  await bo.sees(/Total 8 bytes · Expires (?!after)/);
  await confirms(bo, 1);
  await bo.sees(/✅ Sent[\s\S]*Expires (?!after)/);
  expect(account.drops).toMatchObject([{ ttl: 10, message: 'Here you are' }]);
  await bo.types('/drop history');
  await bo.clicks('Details');
  await bo.sees(/== Transfer ==[\s\S]*Expires (?!after)/);
});

test('an expiry has the same format as every other time, whatever the unit', () => {
  const since = new Date('2026-11-16T09:30:00Z');
  for (const [unit, end] of [
    ['days', '2026-11-18T09:30:00Z'],
    ['minutes', '2026-11-16T09:32:00Z'],
  ] as const)
    expect(expiryPieces(since, 2, unit)).toEqual(['Expires ', moment(new Date(end))]);
});

test.each(['Pacific/Honolulu', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'])(
  'in %s, a card shows the chosen date, as the history does',
  (timeZone) => {
    for (const date of ['2026-06-30', '2026-12-31']) {
      const [, piece] = expiryPieces(new Date(), 1, 'days', date);
      expect(piece).toMatchObject({ seconds: expect.any(Number) });
      const { seconds } = piece as { seconds: number };
      expect(dayOf(seconds * 1000, timeZone)).toBe(date);
      const now = startOfDay('2026-06-01', timeZone) + 10 * 3_600_000;
      const days = durationUntil(date, 'days', timeZone, now) ?? 0;
      expect(dayOf((expiryOf(now / 1000, days, 'days') ?? 0) * 1000, timeZone)).toBe(date);
    }
  },
);

test('a date is converted to whole units from now; presets respect unit and maximum', () => {
  const now = Date.parse('2026-11-16T19:00:00Z');
  expect(typedExpiryOrDate('2026-11-18', 'days', 'UTC', now)).toBe(2);
  expect(typedExpiryOrDate('2026-11-16', 'days', 'UTC', now)).toBeUndefined();
  expect(typedExpiryOrDate('2026-11-16', 'hours', 'UTC', now)).toBe(4);
  expect(typedExpiryOrDate('2026-11-16', 'hours', zone, now)).toBe(3);
  expect(typedExpiryOrDate('2026-11-16', 'hours', 'America/New_York', now)).toBe(9);
  expect(typedExpiryOrDate('2026-13-40', 'days', 'UTC', now)).toBeUndefined();
  expect(typedExpiryOrDate('2026-11-18', 'own', 'UTC', now)).toBeUndefined();
  expect(() => expectExpiryOrDate('2020-01-01', 'days', 'expiresAfter', 'UTC')).toThrow('2020-01-01 is too early');
  expect(
    expiryPresets({ expiryUnit: 'minutes', expiryDefault: 1, expiryLongest: 10_080 }).map(({ value }) => value),
  ).toEqual(['1440', '10080']);
  expect(expiryPresets({ expiryUnit: 'own', expiryDefault: 7 })).toEqual([]);
});
