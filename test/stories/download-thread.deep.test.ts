import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { downloadOutcomes, messagesWithFile, setUpThreadDelivery } from './download-thread.ts';

const postgres = startTestPostgres();

test('a file that Slack shares outside its thread is deleted and sent in a DM', async () => {
  const app = await setUpThreadDelivery(postgres);
  const { bo, slack, deletePost, untilIdle, acme } = app;
  // Slack accepts the file for the thread, which is deleted before the file is shared.
  const delayedShare = slack.addFault({ method: 'share', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await delayedShare.triggered;
  await deletePost();
  delayedShare.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await untilIdle();
  expect(messagesWithFile(app)).toEqual([]);
  expect(acme.files.map(({ deleted }) => deleted)).toEqual([true, false]);
  expect(await downloadOutcomes(app)).toEqual(['no-channel', 'done']);
  expect(app.logged()).toContain('deleted a file that was shown outside its thread');
});

test("if a file's post is deleted during the download, the file is sent in a DM", async () => {
  const app = await setUpThreadDelivery(postgres);
  const { bo, exchange, deletePost, slack } = app;
  const delayedDownload = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await delayedDownload.triggered;
  await deletePost();
  await delayedDownload.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await bo.doesNotSee('Downloading');
  expect(messagesWithFile(app)).toEqual([]);
  const shared = slack.calls.filter(({ method }) => method === 'files.completeUploadExternal');
  expect(shared).toHaveLength(1);
  expect(await downloadOutcomes(app)).toEqual(['done']);
});
