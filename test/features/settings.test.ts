import { expect, test } from 'vitest';
import type { Actor } from '../../src/features/common/services.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { failureOf } from '../helpers/exchange.ts';
import { admin, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('concurrent changes by two admins are both applied', async () => {
  const { services, roles } = await setUpFeatures(postgres);
  const other: Actor = { workspace: 'T1', person: 'U-other' };
  roles.set(other.person, 'admin');
  // Slack is slow to answer which role a person has.
  const roleOf = async (actor: Actor) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return services.people.roleOf(actor);
  };
  const slow = { ...services, people: { roleOf } };
  await Promise.all([
    changeSettings(slow, admin, { receiverDomains: ['example.com'] }),
    changeSettings(slow, other, { message: 'Hello' }),
  ]);
  expect(await readSettings(services, 'T1')).toMatchObject({ receiverDomains: ['example.com'], message: 'Hello' });
});

test('invalid settings are refused with their field, and nothing changes', async () => {
  const { services } = await setUpFeatures(postgres);
  const invalidInputs = [
    [{ receiverDomains: ['no domain'] }, 'receiverDomains'],
    [{ ttl: { unit: 'days', usual: 9, longest: 7 } }, 'ttlUsual'],
  ] as const;
  for (const [input, field] of invalidInputs) {
    const wrong = changeSettings(services, admin, structuredClone(input) as Parameters<typeof changeSettings>[2]);
    expect(await failureOf(wrong)).toMatchObject({ code: 'invalid', field });
  }
  expect(await readSettings(services, 'T1')).toMatchObject({ receiverDomains: [], ttl: { usual: 7 } });
});
