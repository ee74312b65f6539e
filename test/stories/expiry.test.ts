import { expect, test } from 'vitest';
import { expectExpiryOrDate, expiryPresets, typedExpiryOrDate } from '../../src/features/settings/expiry.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();
const dayMs = 86_400_000;

test('a preset or date sets the expiry; review, card and history show the date', async () => {
  const { anna, bo, acme, services, account } = await setUpApp(postgres);
  const ttl = { unit: 'days', usual: 3, longest: 14 } as const;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { ttl });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'Here you are');
  expect(bo.screen()).not.toContain('[30 days]');
  await bo.clicks('7 days');
  await bo.sees('Expires after (days): 7');
  await bo.sees('Message (optional): Here you are');
  await bo.fills('Expires after (days)', new Date(Date.now() + 20 * dayMs).toISOString().slice(0, 10));
  await bo.submits('Review');
  await bo.sees('The maximum in this workspace is 14 days.');
  await bo.fills('Expires after (days)', new Date(Date.now() + 10 * dayMs).toISOString().slice(0, 10));
  await bo.submits('Review');
  await bo.sees(/Total 8 bytes · Expires (?!after)/);
  await confirms(bo, 1);
  await bo.sees(/✅ Sent[\s\S]*Expires (?!after)/);
  expect(account.drops).toMatchObject([{ ttl: 10, message: 'Here you are' }]);
  await bo.types('/drop history');
  await bo.clicks('Details');
  await bo.sees(/== Transfer ==[\s\S]*Expires (?!after)/);
});

test('a preset in the request form keeps what was typed', async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  const settings = { requests: true, ttl: { unit: 'hours', usual: 5 } } as const;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, settings);
  await anna.types('/drop request', { in: '#general' });
  await anna.picks('Request from', 'carl');
  await anna.fills('Message', 'The contract, please');
  await anna.clicks('30 days');
  await anna.sees('Expires after (hours): 720');
  await anna.submits('Review');
  await anna.sees(/Expires (?!after).*\. Message:/);
  await anna.sees('The contract, please');
});

test('a date counts as whole units from now, and presets respect unit and maximum', () => {
  const now = Date.parse('2026-11-16T19:00:00Z');
  expect(typedExpiryOrDate('2026-11-18', 'days', now)).toBe(2);
  expect(typedExpiryOrDate('2026-11-16', 'days', now)).toBeUndefined();
  expect(typedExpiryOrDate('2026-11-16', 'hours', now)).toBe(4);
  expect(typedExpiryOrDate('2026-13-40', 'days', now)).toBeUndefined();
  expect(typedExpiryOrDate('2026-11-18', 'own', now)).toBeUndefined();
  expect(() => expectExpiryOrDate('2020-01-01', 'days', 'timeToLive')).toThrow('2020-01-01 is too early');
  expect(expiryPresets({ unit: 'minutes', usual: 1, longest: 10_080 }).map(({ value }) => value)).toEqual([
    '1440',
    '10080',
  ]);
  expect(expiryPresets({ unit: 'own', usual: 7 })).toEqual([]);
});
