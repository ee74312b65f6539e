import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();
const plan = { name: 'plan.pdf', data: 'the plan' };

test('the review modal shows the progress of its transfer until it is sent', async () => {
  const { bo, exchange, account } = await setUpApp(postgres);
  await stages(bo, [plan]);
  await reviews(bo);
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await bo.submits('Send 1 file to 1 person');
  await slow.triggered;
  await bo.sees('== Sending ==');
  await slow.release();
  await bo.sees('== Transfer ==');
  expect(bo.screen()).toContain('✅ Sent');
  expect(bo.screen()).toContain("If anything changes, I'll update you in our direct messages.");
  expect(account.drops).toHaveLength(1);
});

test('the inbox modal shows when a download has arrived', async () => {
  const { bo, addItem, exchange } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('1 file from carl@example.org');
  const slow = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.types('/drop inbox');
  await bo.sees('newest first');
  await bo.clicks('Download plan.pdf');
  await bo.sees("I'll send you “plan.pdf”");
  await slow.triggered;
  await slow.release();
  await bo.sees('“plan.pdf” is in our direct messages.');
  expect(bo.screen()).toContain('Downloaded by @Bo');
  expect(bo.screen()).not.toContain("I'll send you");
});
