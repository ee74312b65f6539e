import { expect, test } from 'vitest';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { callsOf, downloadsIn, longWait, shortWait, untilAccepted } from './download-shown.ts';

const postgres = startTestPostgres();

test('files that Slack does not show yet are uploaded once and block no other file', async () => {
  const app = await setUpInboxApp(postgres, longWait);
  const { bo, arrive, slack, acme, untilIdle } = app;
  const delayedShare = slack.addFault({ method: 'share', kind: 'delay', times: 3 });
  const names = ['one.pdf', 'two.pdf', 'three.pdf'];
  await arrive('carl@example.org', names);
  for (const name of names) await bo.clicks(`Download ${name}`);
  // There are three slots for long jobs, and one workspace gets at most two of them.
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

test('a file in a thread counts as downloaded only once Slack shows it', async () => {
  const app = await setUpInboxApp(postgres, shortWait);
  const { bo, arrive, slack, set } = app;
  await set({ delivery: 'thread' });
  slack.behaviour.shareMs = Number.POSITIVE_INFINITY;
  await arrive('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.sees("“plan.pdf” from carl@example.org couldn't be downloaded. Slack accepted the file");
  expect(await downloadsIn(app)).toEqual([{ person: bo.id, act: 'download', outcome: 'unknown' }]);
});

test('a rate-limited check for a shared file delays no post and is retried', async () => {
  const app = await setUpInboxApp(postgres, longWait);
  const { bo, arrive, slack } = app;
  const limited = slack.addFault({ method: 'files.info', kind: 'rate-limited', retryAfter: 60 });
  await arrive('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await limited.struck;
  await arrive('dora@example.net', ['map.png']);
  await bo.sees('1 file from dora@example.net');
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
});
