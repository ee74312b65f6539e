import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { connectionError } from './lost-answers.ts';

const postgres = startTestPostgres();

test('a confirmation repeated in another process gets the same answer and sends once', async () => {
  const { bo, slack, account, startAnotherBot, untilIdle } = await setUpApp(postgres);
  const other = await startAnotherBot();
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo, { to: 'carl' });
  slack.addFault({ delivery: 'view_submission', kind: 'lost-answer' });
  await bo.submits('Send 1 file to 1 person');
  await bo.sees(connectionError);
  slack.deliverTo(other.url);
  await bo.submits('Send 1 file to 1 person');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('✅ Sent');
  await untilIdle();
  expect(account.drops).toHaveLength(1);
  expect(bo.messages.filter(({ text }) => /^\s*(Queued|✅ Sent)/.test(text))).toHaveLength(1);
});

test('if a confirmation arrives after its review was closed, no transfer is sent', async () => {
  const { bo, slack, account, untilIdle } = await setUpApp(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo, { to: 'carl' });
  const late = slack.addFault({ delivery: 'view_submission', kind: 'delay' });
  const submitting = bo.submits('Send 1 file to 1 person');
  await late.triggered;
  await bo.closes();
  await bo.sees('Nothing was sent. Your draft is saved.');
  late.release();
  await submitting;
  await untilIdle();
  expect(account.drops).toEqual([]);
});
