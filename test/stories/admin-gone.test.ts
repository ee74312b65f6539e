import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { checks, confirms, stages } from '../helpers/sending.ts';
import { withoutOlga } from './admin-gone.ts';

const postgres = startTestPostgres();

/** Nobody can tell whether it was sent: its answer is lost, its files have gone, and the history does not show it. */
async function sendsIntoTheDark({ bo, exchange }: AppSetup): Promise<void> {
  exchange.addFault({ operation: 'createdrop', kind: 'reset-after' });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await checks(bo);
  await confirms(bo, 1);
}

test('of a dispatch whose outcome nobody knows its sender learns, and another admin than the one who has left', async () => {
  const app = await withoutOlga(postgres, { exchange: { behaviour: { historyLag: 50 } } });
  const { anna, bo } = app;
  await sendsIntoTheDark(app);
  await bo.sees('Not known whether it was sent');
  await anna.opens('Dropline');
  await anna.sees('Nobody knows whether a dispatch was sent.');
});

test('an alarm does not reach the person who connected and is no admin any more', async () => {
  const app = await setUpApp(postgres, { exchange: { behaviour: { historyLag: 50 } } });
  const { acme, anna, services } = app;
  const olga = acme.addPerson({ name: 'Olga' });
  const kept = await services.store.credentials.get(acme.id);
  if (kept !== undefined) await services.store.credentials.set(acme.id, { ...kept, connectedBy: olga.id });
  await sendsIntoTheDark(app);
  await anna.opens('Dropline');
  await anna.sees('Nobody knows whether a dispatch was sent.');
  expect(olga.messages.filter(({ place }) => place === 'Dropline')).toEqual([]);
});

test('a refused key is told to an admin of the settings, and the polling pauses', async () => {
  const { acme, anna, bo, exchange, services } = await withoutOlga(postgres, { pollMs: 300 });
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { admins: [bo.id] });
  exchange.account(user).apiKey = 'another key';
  await bo.opens('Dropline');
  await bo.sees('The file service refuses the key of this workspace.');
  const paused = 'select from dropline.polls where paused_at is not null';
  await until(async () => (await services.store.pool.query(paused)).rowCount || undefined, 'the pause');
  expect(bo.messages.filter(({ text }) => text.includes('refuses the key'))).toHaveLength(1);
});
