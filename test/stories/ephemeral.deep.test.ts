import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a failed click in a regular message is reported exactly once', async () => {
  const { bo, slack, untilIdle } = await setUpApp(postgres);
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: 'Dropline' });
  await bo.opens('Dropline');
  await bo.sees('Ready to send: plan.pdf.');
  slack.addFault({ method: 'views.open', kind: 'error', error: 'expired_trigger_id' });
  await bo.clicks('Send 1 file…');
  await bo.sees('⚠️');
  await untilIdle();
  expect(bo.screen().match(/⚠️/g)).toHaveLength(1);
});
