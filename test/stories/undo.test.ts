import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { undoTransfer } from '../../src/features/transfers/lifecycle/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();
const long = { timing: { longestUndoMs: 600_000 } };
const plan = [{ name: 'plan.pdf', data: 'the plan' }];

test('Undo in the modal sends nothing and opens the form with everything in it', async () => {
  const { bo, account, services, acme, untilIdle } = await setUpApp(postgres, long);
  await stages(bo, plan);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'Here you are');
  await bo.submits('Review');
  await bo.submits('Send 1 file to 1 person');
  await bo.sees('Sending soon');
  await bo.sees('Until then, you can undo it.');
  await bo.clicks('Undo');
  await bo.sees('✅ Undone. Nothing was sent.');
  await bo.sees('carl@example.org');
  await bo.sees('Here you are');
  expect(bo.screen()).toContain('plan.pdf');
  await untilIdle();
  expect(account.uploads).toEqual([]);
  expect(account.drops).toEqual([]);
  const entries = await services.store.audit.list(acme.id, { action: 'send' });
  expect(entries.map(({ outcome }) => outcome)).toEqual(['cancelled']);
  await bo.submits('Review');
  await bo.submits('Send 1 file to 1 person');
  await bo.clicks('Send now');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  expect(account.drops).toMatchObject([{ message: 'Here you are', files: [{ name: 'plan.pdf' }] }]);
});

test('Undo and Send now are on the card too, and only for the sender', async () => {
  const { anna, bo, account, services, acme } = await setUpApp(postgres, long);
  await reviews(bo, { attached: plan });
  await bo.submits('Send 1 file to 1 person');
  await bo.sees('Sending soon');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('Goes out at');
  const [planned] = await services.store.pool
    .query<{ id: string }>("select id from dropline.transfers where workspace = $1 and state = 'planned'", [acme.id])
    .then(({ rows }) => rows);
  const byAnna = undoTransfer(services, { workspace: acme.id, person: anna.id }, planned?.id ?? '');
  await expect(byAnna).rejects.toThrow('Transfer not found.');
  await bo.clicks('Send now');
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
});

test('after Undo, an attached file is offered once', async () => {
  const { bo } = await setUpApp(postgres, long);
  await reviews(bo, { attached: plan });
  await bo.submits('Send 1 file to 1 person');
  await bo.clicks('Undo');
  await bo.sees('Your draft is saved if you leave');
  expect(bo.screen().match(/plan\.pdf/g)).toHaveLength(1);
});

test('a transfer that nobody undoes is sent when its time has come', async () => {
  const { bo, account } = await setUpApp(postgres, { timing: { longestUndoMs: 700 } });
  await reviews(bo, { attached: plan });
  const confirmedAt = Date.now();
  await bo.submits('Send 1 file to 1 person');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  expect(Date.now() - confirmedAt).toBeGreaterThanOrEqual(700);
  expect(account.drops).toHaveLength(1);
});

test('Undo brings a request back into its form', async () => {
  const { bo, account, services, anna, acme, untilIdle } = await setUpApp(postgres, long);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true, undoSeconds: 300 });
  await bo.types('/drop request', { in: 'Dropline' });
  await bo.picks('Request from', 'carl@example.org');
  await bo.fills('Message', 'Please send the plans.');
  await bo.submits('Review');
  await bo.submits('Request from 1 person');
  await bo.sees('Requesting files soon: carl@example.org');
  await bo.clicks('Undo');
  await bo.sees('✅ Undone. Nothing was sent.');
  await bo.sees('Please send the plans.');
  await untilIdle();
  expect(account.uploadPages).toEqual([]);
  await bo.submits('Review');
  await bo.submits('Request from 1 person');
  await bo.clicks('Send now');
  await bo.sees('No uploads yet');
});
