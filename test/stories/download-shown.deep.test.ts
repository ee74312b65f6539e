import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { pendingUploads } from '../../src/features/common/delivery/share.ts';
import { downloadIdOf } from '../../src/features/common/ids.ts';
import { uploadToSlack } from '../../src/slack/upload.ts';
import { runJobsNow } from '../helpers/contacts.ts';
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
  const { bo, addItem, slack, changeInbox } = app;
  await changeInbox({ delivery: 'thread' });
  slack.behaviour.shareMs = Number.POSITIVE_INFINITY;
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.sees("“plan.pdf” from carl@example.org couldn't be downloaded. Slack hasn't shown the file yet.");
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
  await bo.sees("Slack hasn't shown the file yet.");
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

test('if a job dies around the call that shares its file, the file is shown once', async () => {
  const app = await setUpInboxApp(postgres, longWait);
  const { bo, addItem, acme, services, slack, untilIdle } = app;
  const client = await services.slack.clientOf(acme.id);
  const { channel = '', ts = '' } = await client.chat.postMessage({ channel: bo.id, text: 'Downloading' });
  for (const second of ['refused', 'shared'] as const) {
    for (const died of ['before', 'after']) {
      slack.behaviour.secondShare = second;
      slack.behaviour.uploadLag = 1;
      const name = `${second} ${died}.pdf`;
      const { url } = await addItem(`${second}@${died}.example.org`, [name]);
      const bytes = Buffer.from(`bytes of ${name}`);
      const open = () => Readable.from([bytes]);
      const file = await uploadToSlack({ client, name, size: bytes.length, open });
      const pending = { person: bo.id, file, channel, name, message: { channel, ts }, checks: 0 };
      await services.store.collection(pendingUploads).set(acme.id, pending, { name: downloadIdOf(bo.id, url, name) });
      if (died === 'after') await client.files.completeUploadExternal({ files: [{ id: file }], channel_id: channel });
      await bo.clicks(`Download ${name}`);
      const isShared = () => acme.files.some(({ id, shares }) => id === file && shares.length > 0) || undefined;
      await until(isShared, name);
      await untilIdle();
    }
  }
  expect(acme.files.map(({ shares }) => shares.length)).toEqual([1, 1, 1, 1]);
  expect(callsOf(app, 'files.getUploadURLExternal')).toHaveLength(4);
});

test('after a 504, a download is uploaded again; a sixth 504 is reported', async () => {
  const app = await setUpInboxApp(postgres);
  const { bo, addItem, slack, services } = app;
  await addItem('carl@example.org', ['plan.pdf', 'map.png']);
  const failing = slack.addFault({ method: 'upload', kind: 'server-error', status: 504 });
  await bo.clicks('Download plan.pdf');
  await failing.triggered;
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  expect(callsOf(app, 'files.getUploadURLExternal')).toHaveLength(2);
  slack.addFault({ method: 'upload', kind: 'server-error', status: 504, times: 6 });
  await bo.opens('#inbox');
  await bo.clicks('Download map.png');
  const message = "Slack couldn't take the file (504). Try again later.";
  await until(async () => {
    await runJobsNow(services);
    return bo.messages.some(({ text }) => text.includes(message)) || undefined;
  }, 'the message');
  expect(callsOf(app, 'files.getUploadURLExternal')).toHaveLength(8);
});

test("a file that Slack doesn't find right after the upload isn't reported as deleted", async () => {
  const app = await setUpInboxApp(postgres);
  const { bo, addItem, slack } = app;
  slack.behaviour.uploadLag = 2;
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await bo.doesNotSee('Downloading');
  expect(await downloadsIn(app)).toEqual([{ person: bo.id, action: 'download', outcome: 'done' }]);
});

test('a share that Slack did not get is repeated, also after a rate limit', async () => {
  const app = await setUpInboxApp(postgres);
  const { bo, addItem, slack } = app;
  slack.addFault({ method: 'files.completeUploadExternal', kind: 'reset-before' });
  slack.addFault({ method: 'files.completeUploadExternal', kind: 'rate-limited', retryAfter: 1 });
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  expect(callsOf(app, 'files.getUploadURLExternal')).toHaveLength(1);
  expect(callsOf(app, 'files.completeUploadExternal')).toHaveLength(3);
});
