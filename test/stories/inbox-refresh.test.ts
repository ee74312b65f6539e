import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { requestPoll } from '../../src/features/inbox/poll/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { deskOf } from '../helpers/desks.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('the Refresh button polls the service and shows new items', async () => {
  const { bo, addItem, services, acme, changeSettings } = await setUpInboxApp(postgres, { pollMs: 60_000 });
  const { pool } = services.store;
  await pool.query(
    "update dropline.polls set next_at = now() + interval '1 hour', last_at = now() - interval '1 minute'",
  );
  await addItem('carl@example.org', ['plan.pdf', 'photo.jpg']);
  await bo.types('/drop inbox');
  await bo.sees('Your inbox is empty.');
  await bo.clicks('Refresh');
  await bo.sees('📄 plan.pdf');
  await bo.sees('🖼️ photo.jpg');
  // A second click within seconds doesn't cause another poll.
  const lastAt = (when: string) => pool.query(`update dropline.polls set last_at = ${when}`);
  const desk = await deskOf(services.store, acme.id);
  await lastAt('now()');
  expect(await requestPoll(pool, desk)).toBe(false);
  await lastAt("now() - interval '1 minute'");
  expect(await requestPoll(pool, desk)).toBe(true);
  await changeSettings({ downloaders: 'admins' });
  await bo.clicks('Refresh');
  await bo.sees("You can't download files in this workspace.");
});

test('the inbox that is opened before the first poll shows the files when it is done', async () => {
  const { anna, bo, exchange, services, acme } = await setUpApp(postgres, { pollMs: 300, connected: false });
  await exchange.addInboxItem(user, { sender: 'carl@example.org', files: [{ name: 'plan.pdf', data: 'plan' }] });
  const slow = exchange.addFault({ operation: 'get_history', kind: 'delay' });
  await connect(
    services,
    { workspace: acme.id, person: anna.id },
    {
      ...{ baseUrl: exchange.url, username: user, apiKey },
      inboxChannel: acme.channel('general').id,
    },
  );
  for (const person of [anna, bo]) {
    await person.types('/drop inbox', { in: '#general' });
    await person.sees('Checking for files…');
  }
  await bo.clicks('Not downloaded');
  await bo.sees('✓ Not downloaded');
  await slow.release();
  for (const person of [anna, bo]) {
    await person.sees('📄 plan.pdf');
    await person.doesNotSee('Checking for files…');
  }
  expect(bo.screen()).toContain('✓ Not downloaded');
});

test('the inbox can hide downloaded items and highlights the active filter', async () => {
  const { bo, addItem } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  await bo.clicks('Download plan.pdf');
  await bo.sees('Downloaded by @Bo');
  await addItem('dora@example.net', ['letter.pdf']);
  await bo.sees('letter.pdf');
  await bo.types('/drop inbox');
  await bo.sees('2 items, newest first.');
  await bo.sees('[✓ All items] [Not downloaded]');
  await bo.clicks('Not downloaded');
  await bo.sees('[All items] [✓ Not downloaded]');
  await bo.sees('1 item not downloaded, newest first.');
  await bo.clicks('All items');
  await bo.sees('2 items, newest first.');
});
