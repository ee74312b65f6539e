import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { downloadIdOf } from '../../src/features/common/ids.ts';
import { watchedUploads } from '../../src/features/common/upload.ts';
import { uploadToSlack } from '../../src/slack/upload.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { callsOf, downloadsIn, longWait, shortWait, untilAccepted } from './download-shown.ts';

const postgres = startTestPostgres();

test('a download ends when Slack shows the file, not when Slack accepts it', async () => {
  const app = await setUpInboxApp(postgres, longWait);
  const { bo, arrive, slack, inbox } = app;
  const delayedShare = slack.addFault({ method: 'share', kind: 'delay' });
  await arrive('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await untilAccepted(app, 1);
  await until(() => callsOf(app, 'files.info').length > 1 || undefined, 'checks for the file');
  await bo.opens('Dropline');
  await bo.sees('Downloading “plan.pdf”');
  expect(await downloadsIn(app)).toEqual([]);
  expect(JSON.stringify(inbox.messages)).not.toContain('Downloaded by');
  delayedShare.release();
  await bo.downloads('plan.pdf');
  await bo.doesNotSee('Downloading');
  expect(await downloadsIn(app)).toEqual([{ person: bo.id, act: 'download', outcome: 'done' }]);
  await bo.opens('#inbox');
  await bo.sees('Downloaded by @Bo');
});

test('a file that Slack never shows is reported missing; a retry leaves one copy', async () => {
  const app = await setUpInboxApp(postgres, shortWait);
  const { bo, arrive, slack, acme, inbox } = app;
  const delayedShare = slack.addFault({ method: 'share', kind: 'delay' });
  await arrive('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.sees("Slack accepted the file but hasn't shown it yet.");
  expect(await downloadsIn(app)).toEqual([{ person: bo.id, act: 'download', outcome: 'unknown' }]);
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
  const { bo, arrive, acme, services } = app;
  const { url } = await arrive('carl@example.org', ['plan.pdf']);
  const client = await services.slack.clientOf(acme.id);
  const { channel = '', ts = '' } = await client.chat.postMessage({ channel: bo.id, text: 'Downloading' });
  const bytes = Buffer.from('bytes of plan.pdf');
  const open = () => Readable.from([bytes]);
  const file = await uploadToSlack({ client, name: 'plan.pdf', size: bytes.length, open });
  const watched = { person: bo.id, file, channel, said: { channel, ts }, job: randomUUID(), looks: 0 };
  await services.store.collection(watchedUploads).set(acme.id, watched, { name: downloadIdOf(bo.id, url, 'plan.pdf') });
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  expect(callsOf(app, 'files.getUploadURLExternal')).toHaveLength(1);
});
