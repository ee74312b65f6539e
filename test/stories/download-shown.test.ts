import { expect, test } from 'vitest';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { callsOf, downloadsIn, longWait, untilAccepted } from './download-shown.ts';

const postgres = startTestPostgres();

test('a download ends when Slack shows the file, not when Slack accepts it', async () => {
  const app = await setUpInboxApp(postgres, longWait);
  const { bo, addItem, slack, inbox } = app;
  const delayedShare = slack.addFault({ method: 'share', kind: 'delay' });
  await addItem('carl@example.org', ['plan.pdf']);
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
  expect(await downloadsIn(app)).toEqual([{ person: bo.id, action: 'download', outcome: 'done' }]);
  await bo.opens('#inbox');
  await bo.sees('Downloaded by @Bo');
});
