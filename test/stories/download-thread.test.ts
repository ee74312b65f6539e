import { expect, test } from 'vitest';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { downloadOutcomes, setUpThreadDelivery } from './download-thread.ts';

const postgres = startTestPostgres();

test('if the channel is shared during a download, the file is sent in a DM instead', async () => {
  const app = await setUpThreadDelivery(postgres);
  const { bo, exchange, inbox } = app;
  const delayedDownload = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await delayedDownload.triggered;
  inbox.share();
  await delayedDownload.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await until(async () => (await downloadOutcomes(app))[0], 'the audit entry');
  expect(inbox.messages.flatMap(({ fileIds }) => fileIds)).toEqual([]);
});
