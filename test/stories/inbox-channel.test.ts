import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('the inbox channel chosen while connecting gets one message, with who chose it', async () => {
  const { acme, anna, bo, exchange, services } = await setUpApp(postgres, { pollMs: 300, connected: false });
  const inbox = acme.addChannel({ name: 'inbox', members: [anna, bo, 'app'] });
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  await anna.fills('API key', apiKey);
  await anna.picks('Channel for incoming files', 'inbox');
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Test and connect');
  await bo.opens('#inbox');
  await bo.sees('The inbox is empty.');
  // The job that repeats an interrupted connect still waits.
  const others = `select from graphile_worker.jobs where task_identifier <> 'connect'`;
  await expect.poll(async () => (await services.store.pool.query(others)).rowCount).toBe(0);
  expect(inbox.messages).toHaveLength(1);
  await bo.sees('New files will be posted here. The inbox is empty.');
  await bo.sees('@Anna set this up. Admins can change this in /drop settings.');
});
