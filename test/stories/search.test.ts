import { expect, test, vi } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { sentEntry } from '../helpers/exchange.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';

const postgres = startTestPostgres();

/** In UTC this is the 14th. In Stockholm, the time zone of everyone in the simulated workspace, it is the 15th. */
const lateEvening = '2026-03-14T23:30:00Z';

const transferOf = (name: string, createdAt: number, message = '') =>
  sentEntry(0, {
    id: name,
    createdAt,
    message,
    files: [{ name, type: 'text/plain', bytes: 1, sha256: '' }],
    receivers: [{ email: 'dora@example.net' }],
  });

test("the history can be searched by words, and by days in the person's time zone", async () => {
  const { anna, account } = await setUpApp(postgres);
  account.drops = [transferOf('map.png', Date.parse(lateEvening)), transferOf('plan.pdf', Date.now(), 'The José plan')];
  await anna.types('/drop history PLAN jose', { in: '#general' });
  await anna.sees('1 of 1');
  await anna.sees('plan.pdf');
  await anna.fills('From date', '2026-03-15');
  await anna.fills('To date', '2026-03-14');
  await anna.fills('Search', 'a b c d e f g h i j k');
  await anna.submits('Search');
  await anna.sees('Choose the From date or a later one.');
  await anna.sees('Search for at most 10 words.');
  await anna.fills('To date', '2026-03-15');
  await anna.fills('Search', '');
  await anna.submits('Search');
  await anna.sees('map.png');
  expect(anna.screen()).not.toContain('plan.pdf');
  await anna.fills('From date', '2026-03-14');
  await anna.fills('To date', '2026-03-14');
  await anna.submits('Search');
  await anna.sees('No results.');
});

test('the inbox can be searched by words and days', async () => {
  const { bo, addItem } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['Årsbok.pdf']);
  await addItem('dora@example.net', ['photo.jpg']);
  await bo.sees('photo.jpg');
  await bo.types('/drop inbox arsbok');
  await bo.sees('1 item, newest first.');
  await bo.fills('Search', 'dora');
  await bo.submits('Search');
  await bo.sees('== Inbox ==');
  await bo.clicks('Not downloaded');
  await bo.sees('[✓ Not downloaded]');
  expect(bo.screen()).toMatch(/1 file from dora@example\.net[\s\S]*1 item not downloaded, newest first\./);
  await bo.fills('From date', '2001-01-01');
  await bo.fills('To date', '2001-01-01');
  await bo.submits('Search');
  await bo.sees('No results for “dora”.');
});

test("the audit log can be searched by words, person and days in the admin's time zone", async () => {
  const { anna, bo, acme, services } = await setUpApp(postgres);
  const { audit } = services.store;
  const entry = { workspace: acme.id, person: bo.id, action: 'send', outcome: 'sent', reference: 'ABCDEFGH' } as const;
  await audit.record({ ...entry, details: { files: [{ name: 'plan.pdf' }] } });
  await audit.record({ ...entry, details: { files: [{ name: 'map.png' }] } });
  await anna.types('/drop audit plan.pdf', { in: '#general' });
  await anna.sees('@Bo sent plan.pdf');
  expect(anna.screen()).not.toContain('map.png');
  await anna.fills('Search', 'Connected the workspace');
  await anna.picks('Person', bo.name);
  await anna.submits('Search');
  await anna.sees('No results for “Connected the workspace”.');
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(lateEvening) });
  await audit.record({ ...entry, action: 'disconnect', outcome: 'done', reference: 'r' }).finally(vi.useRealTimers);
  await anna.unpicks('Person', bo.name);
  await anna.fills('Search', '');
  await anna.fills('From date', '2026-03-15');
  await anna.fills('To date', '2026-03-15');
  await anna.submits('Search');
  await anna.sees('@Bo disconnected the workspace');
  expect(anna.screen()).not.toMatch(/sent plan|Anna connected/);
});

test("members find only their own transfers, even with another person's id", async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, acme } = setup;
  await sendFile(setup, bo, 'plan.pdf');
  await sendFile(setup, anna, 'map.png');
  await anna.types('/drop history', { in: '#general' });
  await anna.picks('Person', bo.name);
  await anna.submits('Search');
  await anna.sees('1 of 1');
  await anna.sees('plan.pdf');

  await bo.types('/drop history map', { in: '#general' });
  await bo.sees('No results for “map”.');
  expect(bo.screen()).not.toContain('Person');
  const view = acme.views.find(({ id }) => id === bo.client.modals[0]);
  if (view === undefined) throw new Error('no form is open');
  view.values.person = { person: { type: 'users_select', selected_user: anna.id } };
  await bo.fills('Search', '');
  await bo.submits('Search');
  await bo.sees('plan.pdf');
  expect(bo.screen()).not.toContain('map.png');
});
