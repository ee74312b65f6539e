import { afterEach, expect, test, vi } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { expectPlannable } from '../../src/features/transfers/lifecycle/planned.ts';
import { admin, anna, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendContent } from '../helpers/transfers.ts';

const postgres = startTestPostgres();
afterEach(() => {
  vi.useRealTimers();
});

/** The day of a clock change in each zone, and the UTC time at which it ends. */
const changes = [
  ['Europe/Stockholm', '2027-03-28', '2027-03-28T22:00:00Z'],
  ['Europe/Stockholm', '2027-10-31', '2027-10-31T23:00:00Z'],
  ['America/New_York', '2027-03-14', '2027-03-15T04:00:00Z'],
  ['America/New_York', '2027-11-07', '2027-11-08T05:00:00Z'],
  ['Australia/Sydney', '2027-04-04', '2027-04-04T14:00:00Z'],
  ['Australia/Sydney', '2027-10-03', '2027-10-03T13:00:00Z'],
  // No clock change, and half an hour off.
  ['Asia/Kolkata', '2027-03-28', '2027-03-28T18:30:00Z'],
  ['Asia/Kolkata', '2027-10-31', '2027-10-31T18:30:00Z'],
] as const;

test('a transfer can be planned until the hour before its date ends, in every zone', async () => {
  const { services } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { expiryUnit: 'hours' });
  for (const [zone, expiryDate, end] of changes) {
    const inZone = { ...services, people: { ...services.people, zoneOf: async () => zone } };
    const endsAt = Date.parse(end) / 1000;
    vi.useFakeTimers({ toFake: ['Date'], now: (endsAt - 20 * 86_400) * 1000 });
    const content = sendContent({ expiryDate });
    const planned = (seconds: number) => expectPlannable(inZone, anna, content, seconds);
    await expect(planned(endsAt - 3_700), `${zone} ${expiryDate}`).resolves.toBeUndefined();
    await expect(planned(endsAt - 3_500), `${zone} ${expiryDate}`).rejects.toThrow('It would have expired by then.');
  }
});
