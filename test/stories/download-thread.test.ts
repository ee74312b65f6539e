import { expect, test } from 'vitest';
import { until } from '../helpers/features.ts';
import type { InboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { withPost } from './download-thread.ts';

const postgres = startTestPostgres();

/** Messages in the channel that hold or name the file. */
const leftIn = ({ inbox }: InboxApp) =>
  inbox.messages.filter(({ fileIds, text, ephemeralTo }) => {
    return fileIds.length > 0 || (ephemeralTo === undefined && text.includes('plan.pdf'));
  });

const outcomes = async ({ audited }: InboxApp) =>
  (await audited()).flatMap(({ act, outcome }) => (act === 'download' ? [outcome] : []));

test('a file whose post is deleted during the download comes in a DM', async () => {
  const app = await withPost(postgres);
  const { bo, exchange, deletePost, slack } = app;
  const fetching = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await fetching.struck;
  await deletePost();
  await fetching.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await bo.doesNotSee('Fetching');
  expect(leftIn(app)).toEqual([]);
  const shared = slack.calls.filter(({ method }) => method === 'files.completeUploadExternal');
  expect(shared).toHaveLength(1);
  expect(await outcomes(app)).toEqual(['done']);
});

test('a channel that outsiders join during a download gets no file', async () => {
  const app = await withPost(postgres);
  const { bo, exchange, inbox } = app;
  const fetching = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await fetching.struck;
  inbox.share();
  await fetching.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await until(async () => (await outcomes(app))[0], 'it to be noted');
  expect(inbox.messages.flatMap(({ fileIds }) => fileIds)).toEqual([]);
});
