import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { deliver } from '../helpers/deliver.ts';
import { dumpOf } from '../helpers/dump.ts';
import { user } from '../helpers/exchange.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reinstall } from './uninstall.ts';

const postgres = startTestPostgres();

test('a late uninstall event keeps the new installation and deletes older data', async () => {
  const setup = await setUpApp(postgres);
  const { acme, anna, services, untilIdle } = setup;
  // Make the connection more than a second old, because Slack's timestamps are whole seconds.
  const connected = await services.store.credentials.get({ workspace: acme.id });
  if (connected === undefined) throw new Error('the workspace is not connected');
  await services.store.credentials.set(acme.id, { ...connected, connectedAt: Date.now() - 5_000 });
  const { deliverEvents } = await reinstall(setup);
  await deliverEvents();
  await untilIdle();
  expect(await services.store.credentials.get({ workspace: acme.id })).toBeUndefined();
  expect(await services.store.audit.list(acme.id)).toEqual([]);
  expect((await services.slack.botOf(acme.id))?.token).toBe(acme.installation?.botToken);
  await anna.types('/drop help', { in: '#general' });
  await anna.sees('/drop connect');
});

test('after an uninstall, no row in the database contains the id of the workspace', async () => {
  const { acme, anna, bo, services, exchange, untilIdle, database } = await setUpApp(postgres, { pollMs: 300 });
  const channel = acme.addChannel({ name: 'inbox', members: [anna, 'app'] });
  await changeSettings(
    services,
    { workspace: acme.id, person: anna.id },
    { inboxChannels: [inboxChannel(channel.id)] },
  );
  await anna.opens('#inbox');
  await anna.sees('The inbox is empty.');
  await exchange.addInboxItem(user, { sender: 'carl@example.org', files: [{ name: 'plan.pdf', data: 'the plan' }] });
  await anna.sees('plan.pdf');
  await bo.types('/drop contacts', { in: '#general' });
  await bo.sees('carl@example.org');
  acme.uninstall();
  await untilIdle();
  const admin = new pg.Pool(database.connection);
  onTestFinished(() => admin.end());
  const lines = (await dumpOf(admin)).split('\n');
  expect(lines.filter((line) => line.includes(acme.id))).toEqual([]);
});

test('an event without a workspace is not retried', async () => {
  const { url, untilIdle, logged } = await setUpApp(postgres);
  const event = { type: 'event_callback', event_id: 'Ev1', event_time: 1, event: { type: 'app_uninstalled' } };
  expect((await deliver(url, JSON.stringify(event))).status).toBe(200);
  await untilIdle();
  expect(logged().match(/"msg":"failed"/g)).toHaveLength(1);
});
