import { expect, test } from 'vitest';
import { finishItem, takeItem } from '../../src/features/inbox/work/operations.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { asksFor } from './checklist.ts';
import {
  addRequest,
  expectSeenByMembers,
  fillLegal,
  looksAt,
  namesIn,
  secret,
  sender,
  withPrivateChannel,
} from './private-channel.ts';
import { setUpReminders } from './reminders.ts';

const postgres = startTestPostgres();

test('only members of a private inbox channel see its files', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  await fillLegal(app);
  await expectSeenByMembers(app, ['list', 'home']);
});

test('only members of a private inbox channel get messages that name its files', async () => {
  const app = await withPrivateChannel(setUpReminders, postgres);
  const { anna, bo, cleo, dan, acme, legal, services } = app;
  const { changeSettings, arrivesInLegal, addOldItem, remind, untilIdle } = app;
  await changeSettings({ requests: true });
  const taken = await arrivesInLegal();
  await takeItem(services, { workspace: acme.id, person: dan.id }, taken);
  legal.remove(dan);
  await finishItem(services, { workspace: acme.id, person: bo.id }, taken);
  await asksFor(cleo, ['Passport'], sender);
  await addOldItem(sender, [secret]);
  await cleo.sees(`${sender} sent files that you requested.`);
  await cleo.sees("They're in #legal, and only its members see them.");
  await cleo.sees(`${sender} sent files to #legal on`);
  await cleo.sees('What has arrived?');
  await untilIdle();
  await remind();
  expect(legal.messages.filter(({ text }) => text.startsWith('Not downloaded'))).toHaveLength(1);
  for (const person of [anna, cleo, dan]) expect(namesIn(person.messages)).toEqual([]);
});

test('an answer that is in no private channel is seen only by the person who asked', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { anna, cleo, changeSettings, addItem, untilIdle } = app;
  await changeSettings({ requests: true });
  await asksFor(cleo, ['Passport']);
  await addItem('carl@example.org', [secret, 'visa.jpg']);
  await cleo.sees('carl@example.org sent 2 files');
  await untilIdle();
  await anna.opens('Home of Dropline');
  await anna.sees('Files uploaded');
  await anna.clicks('View');
  await anna.sees('carl@example.org sent files on');
  expect(anna.screen()).not.toContain(secret);
});

test('files that only a deactivated person asked for go to the inbox channel', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { acme, bo, addItem, untilIdle } = app;
  const olga = acme.addPerson({ name: 'Olga' });
  await addRequest(app, olga);
  Object.assign(acme.state.users.get(olga.id) ?? {}, { deactivated: true });
  await addItem('carl@example.org', [secret]);
  await bo.opens('#inbox');
  await bo.sees('1 file from carl@example.org, requested by @Olga');
  await untilIdle();
  expect(await looksAt(app, bo, 'list')).toContain(secret);
});

test("a requester's reminder waits until Slack says whether they can download", async () => {
  const app = await withPrivateChannel(setUpReminders, postgres);
  const { acme, bo, cleo, slack, addOldItem, changeSettings, hidesMembers, remind, services } = app;
  const readers = acme.addChannel({ name: 'readers', kind: 'private', members: [bo, cleo, 'app'] });
  await changeSettings({ downloaders: [readers.id] });
  await addRequest(app, cleo);
  await addOldItem('carl@example.org', [secret]);
  await cleo.opens('Dropline');
  await cleo.sees(secret);
  const reminders = () => cleo.messages.filter(({ text }) => text.startsWith('Not downloaded'));
  const fault = hidesMembers();
  const asked = () => slack.calls.filter(({ method, outcome }) => method.endsWith('.members') && outcome === 'fault');
  const reminding = remind();
  await until(() => asked().length > 0 || undefined, 'the job to ask Slack');
  expect(reminders()).toEqual([]);
  fault.remove();
  await services.store.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
  await reminding;
  expect(reminders()).toHaveLength(1);
  await remind();
  expect(reminders()).toHaveLength(1);
});
