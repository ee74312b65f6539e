import { expect, test } from 'vitest';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { downloadOutcomes, messagesWithFile, setUpThreadDelivery } from './download-thread.ts';

const postgres = startTestPostgres();

test('a file whose post is deleted during the download is sent in a DM', async () => {
  const app = await setUpThreadDelivery(postgres);
  const { bo, exchange, deletePost, slack } = app;
  const fetching = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await fetching.struck;
  await deletePost();
  await fetching.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await bo.doesNotSee('Downloading');
  expect(messagesWithFile(app)).toEqual([]);
  const shared = slack.calls.filter(({ method }) => method === 'files.completeUploadExternal');
  expect(shared).toHaveLength(1);
  expect(await downloadOutcomes(app)).toEqual(['done']);
});

test('a channel that outsiders join during a download gets no file', async () => {
  const app = await setUpThreadDelivery(postgres);
  const { bo, exchange, inbox } = app;
  const fetching = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await fetching.struck;
  inbox.share();
  await fetching.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await until(async () => (await downloadOutcomes(app))[0], 'the audit entry');
  expect(inbox.messages.flatMap(({ fileIds }) => fileIds)).toEqual([]);
});
