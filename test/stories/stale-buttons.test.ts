import { test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';
import { plan, untilWithoutButtons } from './stale-buttons.ts';

const postgres = startTestPostgres();

test('the Continue and Send buttons disappear once the draft is sent', async () => {
  const { bo } = await setUpApp(postgres);
  await stages(bo, [plan]);
  await reviews(bo);
  await bo.closes();
  await bo.sees('Nothing was sent. Your draft is saved.');
  await bo.clicks('Continue');
  await bo.submits('Review');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  await untilWithoutButtons(bo, 'Nothing was sent. Your draft is saved.');
  await untilWithoutButtons(bo, 'Ready to send: plan.pdf.');
});
