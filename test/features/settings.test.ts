import { expect, test } from 'vitest';
import type { Actor } from '../../src/features/common/services.ts';
import { typedExpiryOrDate } from '../../src/features/settings/expiry.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { defaultSettings, readSettings } from '../../src/features/settings/repository.ts';
import { expectTimeAllowed } from '../../src/features/transfers/checks.ts';
import { failureOf } from '../helpers/exchange.ts';
import { admin, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('settings changed by two admins at the same time are both saved', async () => {
  const { services, roles } = await setUpFeatures(postgres);
  const other: Actor = { workspace: 'T1', person: 'U-other' };
  roles.set(other.person, 'admin');
  // Slack is slow to answer which role a person has.
  const roleOf = async (actor: Actor) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return services.people.roleOf(actor);
  };
  const slow = { ...services, people: { ...services.people, roleOf } };
  await Promise.all([
    changeSettings(slow, admin, { recipientDomains: ['example.com'] }),
    changeSettings(slow, other, { message: 'Hello' }),
  ]);
  expect(await readSettings(services, { workspace: 'T1' })).toMatchObject({
    recipientDomains: ['example.com'],
    message: 'Hello',
  });
});

test('an invalid setting is refused with the name of its field and changes nothing', async () => {
  const { services } = await setUpFeatures(postgres);
  const invalidInputs = [
    [{ recipientDomains: ['no domain'] }, 'recipientDomains'],
    [{ expiryUnit: 'days', expiryDefault: 9, expiryLongest: 7 }, 'expiryDefault'],
  ] as const;
  for (const [input, field] of invalidInputs) {
    const wrong = changeSettings(services, admin, structuredClone(input) as Parameters<typeof changeSettings>[2]);
    expect(await failureOf(wrong)).toMatchObject({ code: 'invalid', field });
  }
  expect(await readSettings(services, { workspace: 'T1' })).toMatchObject({ recipientDomains: [], expiryDefault: 7 });
});

test('an expiry is a whole number of 1 or more, in any unit', () => {
  const texts = ['0', '1', ' 7 ', '1.5', '1,5', '1e3', '-1', '', 'x'];
  for (const unit of ['days', 'hours', 'minutes', 'own'] as const) {
    const typed = texts.map((text) => typedExpiryOrDate(text, unit, 'UTC'));
    expect(typed).toEqual([undefined, 1, 7, ...Array(6)]);
  }
  for (const value of [2.5, 0, -1, Number.NaN])
    expect(() => expectTimeAllowed(defaultSettings, value)).toThrow('Enter a whole number of 1 or more.');
});
