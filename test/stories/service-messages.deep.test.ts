import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectJob } from '../../src/features/account/connect/jobs.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import type { JobContext } from '../../src/jobs/index.ts';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { openCard } from './request.ts';
import { expectPlainText, failureMessagesOf, refuseOperation, startRefusedTransfer } from './service-messages.ts';

const postgres = startTestPostgres();

test("the service's error for a request is shown as plain text in card and thread", async () => {
  const app = await setUpInboxApp(postgres);
  const { bo, changeSettings, slack } = app;
  await changeSettings({ requests: true });
  await bo.types('/drop request');
  await bo.picks('Request from', 'dora@example.net');
  await bo.fills('Message', 'Please');
  await bo.submits('Review');
  await bo.sees('1 person can upload files');
  refuseOperation(app, 'receivers_set');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees(/(?:couldn't be sent[\s\S]*<https:\/\/evil\.example\|Sign in> <!channel> \*now\*[\s\S]*){2}/);
  expectPlainText(slack, 2);
});

test("the service's error is plain text when another process finishes connecting", async () => {
  const app = await setUpApp(postgres, { connected: false, isWorking: false });
  const { acme, anna, exchange, services, slack } = app;
  refuseOperation(app, 'contacts_read');
  const draft = { baseUrl: exchange.url, username: user, apiKey };
  const trials = services.store.collection({ kind: 'connect-draft', schema: z.unknown() });
  await trials.set(acme.id, { person: anna.id, draft }, { name: 'left behind', ttlMs: 60_000 });
  await connectJob(services).run({ workspace: acme.id, trial: 'left behind' }, {} as JobContext);
  await anna.opens('Dropline');
  await anna.sees("couldn't be connected to the file service. ");
  expectPlainText(slack, 1);
});

test('a message whose thread was just deleted is posted outside a thread', async () => {
  const app = await setUpApp(postgres);
  const { bo, slack, logged } = app;
  const refusal = await startRefusedTransfer(app);
  slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'thread_not_found' });
  await refusal.release();
  await bo.sees(/(?:Not sent[\s\S]*){2}/);
  await slack.untilIdle();
  expect(failureMessagesOf(bo)).toHaveLength(2);
  expect(logged()).not.toContain('job failed');
});

test('a transfer whose card was deleted gets one new card, whose location is stored', async () => {
  const app = await setUpApp(postgres);
  const { acme, bo, services, slack } = app;
  const refusal = await startRefusedTransfer(app);
  const { rows } = await services.store.pool.query<{ id: string }>('select id from dropline.transfers');
  const transfer = () => transfersIn(services.store).read(rows[0]?.id ?? '');
  const { channel = '', ts = '' } = await until(async () => (await transfer())?.locations.card, "the transfer's card");
  const client = await services.slack.clientOf(acme.id);
  await client.chat.delete({ channel, ts });
  await refusal.release();
  await bo.sees('Not sent');
  await until(async () => (await transfer())?.notifiedAt, 'the transfer to end');
  const cards = failureMessagesOf(bo);
  expect(cards).toHaveLength(1);
  expect((await transfer())?.locations.card?.ts).toBe(cards[0]?.ts);
  expect(slack.calls.filter(({ error }) => error === 'thread_not_found')).toEqual([]);
});
