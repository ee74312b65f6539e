import { expect, test } from 'vitest';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test("with delivery to threads, a requested file is posted in the request's thread", async () => {
  const { bo, changeSettings, addItem, services, slack, acme, untilIdle } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true, delivery: 'thread' });
  await bo.types('/drop request');
  await bo.picks('Request from', 'carl@example.org');
  await bo.fills('Message', 'Please send the plans.');
  await bo.submits('Review');
  await bo.submits('Request from 1 person');
  await bo.reloads();
  await bo.opens('Dropline');
  await bo.sees('No uploads yet.');
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('1 file from carl@example.org, requested by @Bo');
  await bo.clicks('Download plan.pdf');
  await bo.sees("I'll post “plan.pdf” in the thread.");
  await bo.sees('Downloaded by @Bo');
  await untilIdle();
  const threadsOf = (method: string) =>
    slack.calls.flatMap((call) => (call.method === method ? [call.arguments.thread_ts] : []));
  const [cardTs] = threadsOf('chat.postMessage').filter((ts) => ts !== undefined);
  expect(cardTs).toBeDefined();
  expect(threadsOf('files.completeUploadExternal')).toEqual([cardTs]);
  const entries = await services.store.audit.list(acme.id, { action: 'download' });
  expect(entries.map(({ outcome }) => outcome)).toEqual(['done']);
});
