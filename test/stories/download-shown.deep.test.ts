import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { downloadIdOf } from '../../src/features/common/ids.ts';
import { pendingUploads } from '../../src/features/common/upload.ts';
import { uploadToSlack } from '../../src/slack/upload.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { callsOf, downloadsIn, longWait, shortWait, untilAccepted } from './download-shown.ts';

const postgres = startTestPostgres();

test("a file that Slack doesn't show yet is uploaded once and blocks no other file", async () => {
  const app = await setUpInboxApp(postgres, longWait);
  const { bo, addItem, slack, acme, untilIdle } = app;
  const delayedShare = slack.addFault({ method: 'share', kind: 'delay', times: 3 });
  const names = ['one.pdf', 'two.pdf', 'three.pdf'];
  await addItem('carl@example.org', names);
  for (const name of names) await bo.clicks(`Download ${name}`);
  // A workspace gets two of the three slots for long jobs, so the third file needs a slot that another one released.
  await untilAccepted(app, 3);
  for (const name of names) await bo.clicks(`Download ${name}`);
  await until(() => callsOf(app, 'files.info').length > 6 || undefined, 'checks for the files');
  delayedShare.release();
  await untilIdle();
  expect(acme.files.map(({ name }) => name).sort()).toEqual([...names].sort());
  expect(callsOf(app, 'files.completeUploadExternal')).toHaveLength(3);
  await bo.opens('Dropline');
  for (const name of names) await bo.downloads(name);
  expect(await downloadsIn(app)).toHaveLength(3);
});

test("a file that Slack never shows in its thread doesn't count as downloaded", async () => {
  const app = await setUpInboxApp(postgres, shortWait);
  const { bo, addItem, slack, changeSettings } = app;
  await changeSettings({ delivery: 'thread' });
  slack.behaviour.shareMs = Number.POSITIVE_INFINITY;
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.sees("“plan.pdf” from carl@example.org couldn't be downloaded. Slack accepted the file");
  expect(await downloadsIn(app)).toEqual([{ person: bo.id, action: 'download', outcome: 'unknown' }]);
});

test('a rate-limited check for a shared file delays no post and is retried', async () => {
  const app = await setUpInboxApp(postgres, longWait);
  const { bo, addItem, slack } = app;
  const limited = slack.addFault({ method: 'files.info', kind: 'rate-limited', retryAfter: 60 });
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await limited.triggered;
  await addItem('dora@example.net', ['map.png']);
  await bo.sees('1 file from dora@example.net');
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
});

test("a file that Slack hasn't shown in time is reported; a retry leaves one copy", async () => {
  const app = await setUpInboxApp(postgres, shortWait);
  const { bo, addItem, slack, acme, inbox } = app;
  const delayedShare = slack.addFault({ method: 'share', kind: 'delay' });
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.sees("Slack accepted the file but hasn't shown it yet.");
  expect(await downloadsIn(app)).toEqual([{ person: bo.id, action: 'download', outcome: 'unknown' }]);
  expect(JSON.stringify(inbox.messages)).not.toContain('Downloaded by');
  await bo.clicks('Download plan.pdf again');
  await bo.downloads('plan.pdf');
  // Slack shows the first upload only after the retry.
  delayedShare.release();
  expect(acme.files.filter(({ deleted }) => !deleted)).toHaveLength(1);
  const shared = acme.channels.flatMap(({ messages }) => messages.flatMap(({ fileIds }) => fileIds));
  expect(shared).toHaveLength(1);
});

test('a second click shares the file if the first job died before sharing it', async () => {
  const app = await setUpInboxApp(postgres, longWait);
  const { bo, addItem, acme, services } = app;
  const { url } = await addItem('carl@example.org', ['plan.pdf']);
  const client = await services.slack.clientOf(acme.id);
  const { channel = '', ts = '' } = await client.chat.postMessage({ channel: bo.id, text: 'Downloading' });
  const bytes = Buffer.from('bytes of plan.pdf');
  const open = () => Readable.from([bytes]);
  const file = await uploadToSlack({ client, name: 'plan.pdf', size: bytes.length, open });
  const pending = { person: bo.id, file, channel, message: { channel, ts }, job: randomUUID(), checks: 0 };
  await services.store.collection(pendingUploads).set(acme.id, pending, { name: downloadIdOf(bo.id, url, 'plan.pdf') });
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  expect(callsOf(app, 'files.getUploadURLExternal')).toHaveLength(1);
});
