import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendWithUnknownOutcome, setUpDepartedAdmin } from './admin-gone.ts';

const postgres = startTestPostgres();

test('an unknown outcome is reported to the sender and to an active admin', async () => {
  const app = await setUpDepartedAdmin(postgres, { exchange: { behaviour: { historyLag: 50 } } });
  const { anna, bo } = app;
  await sendWithUnknownOutcome(app);
  await bo.sees('Delivery unconfirmed');
  await anna.opens('Dropline');
  await anna.sees("A transfer's delivery is unconfirmed.");
});

test('a refused API key notifies an admin listed in the settings and stops polling', async () => {
  const { acme, anna, bo, exchange, services } = await setUpDepartedAdmin(postgres, { pollMs: 300 });
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { admins: [bo.id] });
  exchange.account(user).apiKey = 'another key';
  await bo.opens('Dropline');
  await bo.sees("The file service rejects this workspace's API key.");
  const paused = 'select from dropline.polls where paused_at is not null';
  await until(async () => (await services.store.pool.query(paused)).rowCount || undefined, 'polling to be paused');
  expect(bo.messages.filter(({ text }) => text.includes("rejects this workspace's API key"))).toHaveLength(1);
});
