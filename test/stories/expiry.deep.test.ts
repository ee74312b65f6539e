import { test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { dateIn } from './expiry.ts';

const postgres = startTestPostgres();

test('choosing a preset or date in the request form keeps other input', async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  const settings = { requests: true, expiryUnit: 'hours', expiryDefault: 5 } as const;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, settings);
  await anna.types('/drop request', { in: '#general' });
  await anna.picks('Request from', 'carl');
  await anna.fills('Message', 'The contract, please');
  await anna.fills('Choose a date', dateIn(2));
  await anna.sees(`Expires after (hours): ${dateIn(2)}`);
  await anna.clicks('30 days');
  await anna.sees('Expires after (hours): 720');
  await anna.submits('Review');
  await anna.sees(/Expires (?!after).*\. Message:/);
  await anna.sees('The contract, please');
});
