import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a click in an ephemeral message is answered there, and a failure also in a DM', async () => {
  const { bo, slack, atRest } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop help');
  await bo.sees('Open inbox');
  slack.addFault({ method: 'views.open', kind: 'error', error: 'expired_trigger_id' });
  await bo.clicks('Open inbox');
  await bo.sees('⚠️');
  await atRest();
  // What only they saw is gone with the next start of Slack.
  await bo.reloads();
  await bo.opens('#general');
  await bo.doesNotSee('⚠️');
  await bo.opens('Dropline');
  await bo.sees(/⚠️.*\(Reference/);
  expect(bo.screen().match(/⚠️/g)).toHaveLength(1);
});

test('a refused answer to an ephemeral click leaves the failure in a DM, once', async () => {
  const { bo, slack, atRest } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop help');
  await bo.sees('Open inbox');
  slack.addFault({ method: 'views.open', kind: 'error', error: 'expired_trigger_id' });
  slack.addFault({ method: 'response_url', kind: 'server-error' });
  await bo.clicks('Open inbox');
  await atRest();
  await bo.opens('Dropline');
  await bo.sees('⚠️');
  expect(bo.screen().match(/⚠️/g)).toHaveLength(1);
});
