import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a failed click in an ephemeral message is reported in the channel and in a DM', async () => {
  const { bo, slack, untilIdle } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop help');
  await bo.sees('Inbox');
  slack.addFault({ method: 'views.open', kind: 'error', error: 'expired_trigger_id' });
  await bo.clicks('Inbox');
  await bo.sees('⚠️');
  await untilIdle();
  // Ephemeral messages disappear when Slack reloads.
  await bo.reloads();
  await bo.opens('#general');
  await bo.doesNotSee('⚠️');
  await bo.opens('Dropline');
  await bo.sees(/⚠️.*\(Reference/);
  expect(bo.screen().match(/⚠️/g)).toHaveLength(1);
});

test('if Slack refuses the answer to an ephemeral click, a DM reports the failure once', async () => {
  const { bo, slack, untilIdle } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop help');
  await bo.sees('Inbox');
  slack.addFault({ method: 'views.open', kind: 'error', error: 'expired_trigger_id' });
  slack.addFault({ method: 'response_url', kind: 'server-error' });
  await bo.clicks('Inbox');
  await untilIdle();
  await bo.opens('Dropline');
  await bo.sees('⚠️');
  expect(bo.screen().match(/⚠️/g)).toHaveLength(1);
});
