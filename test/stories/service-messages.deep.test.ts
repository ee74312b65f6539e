import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectingJob } from '../../src/features/connect/trial.ts';
import type { JobContext } from '../../src/jobs/index.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { expectOnlyWords, refuses, sendsInVain } from './service-messages.ts';

const postgres = startTestPostgres();

test('what a service says when it refuses a request is told as words, in the card and in its thread', async () => {
  const app = await setUpInboxApp(postgres);
  const { bo, set, slack } = app;
  await set({ requests: true });
  await bo.types('/drop request');
  await bo.picks('Who should send you files?', 'dora@example.net');
  await bo.fills('Message to them', 'Please');
  await bo.submits('Next');
  await bo.sees('1 person will be able');
  refuses(app, 'receivers_set');
  await bo.submits('Ask 1 person');
  await bo.opens('Dropline');
  await bo.sees(/(?:did not go out[\s\S]*<https:\/\/evil\.example\|Sign in> <!channel> \*now\*[\s\S]*){2}/);
  expectOnlyWords(slack, 2);
});

test('and so is what it says to somebody whose connect another process had to finish', async () => {
  const app = await setUpApp(postgres, { connected: false, isWorking: false });
  const { acme, anna, exchange, services, slack } = app;
  refuses(app, 'contacts_read');
  const draft = { baseUrl: exchange.url, username: user, apiKey };
  const trials = services.store.collection({ kind: 'connect-trial', schema: z.unknown() });
  await trials.set(acme.id, { person: anna.id, wish: draft }, { name: 'left behind', ttlMs: 60_000 });
  await connectingJob(services).run({ workspace: acme.id, trial: 'left behind' }, {} as JobContext);
  await anna.opens('Dropline');
  await anna.sees('could not be connected to the file service. ');
  expectOnlyWords(slack, 1);
});

const cardsOf = (person: Person) => person.messages.filter(({ text }) => text.includes('Not sent'));

test('what was to be said in a thread whose card has just gone stands by itself', async () => {
  const app = await setUpApp(postgres);
  const { bo, slack, logged } = app;
  const held = await sendsInVain(app);
  slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'thread_not_found' });
  await held.release();
  await bo.sees(/(?:Not sent[\s\S]*){2}/);
  await slack.settled();
  expect(cardsOf(bo)).toHaveLength(2);
  expect(logged()).not.toContain('job failed');
});
