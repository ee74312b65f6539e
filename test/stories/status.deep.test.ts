import { expect, test } from 'vitest';
import { connectionOf } from '../../src/features/common/connection.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { uploadsIn } from '../../src/features/transfers/uploads/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';
import { addUnexpectedFile } from './status.ts';

const postgres = startTestPostgres();

test("senders see the status; another workspace's uploads aren't unexpected files", async () => {
  const setup = await setUpApp(postgres);
  const { bo, anna, acme, services } = setup;
  const admin = { workspace: acme.id, person: anna.id };
  await changeSettings(services, admin, { downloaders: 'admins' });
  addUnexpectedFile(setup, 'theirs.pdf');
  const { exchange } = await connectionOf(services, { workspace: acme.id });
  await uploadsIn(services.store).record('T-OTHER', exchange.account, 'theirs.pdf');
  await bo.types('/drop status', { in: '#general' });
  await bo.sees('No active transfers');
  await bo.closes();
  await bo.types('/drop files', { in: '#general' });
  await bo.sees('left over from Dropline');
  expect(bo.screen()).not.toContain('blocks sending');
});

test("during a transfer, the status shows the sender and uploads can't be cleared", async () => {
  const setup = await setUpApp(postgres);
  const { acme, anna, bo, exchange, account, services } = setup;
  const leftover = 'left over.pdf';
  addUnexpectedFile(setup, leftover);
  await uploadsIn(services.store).record(
    acme.id,
    (await connectionOf(services, { workspace: acme.id })).exchange.account,
    leftover,
  );
  await anna.types('/drop status', { in: '#general' });
  await anna.sees('1 file uploaded by Dropline.');
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  const sending = sendFile(setup, bo, 'plan.pdf');
  await slow.triggered;
  await anna.clicks('Delete pending uploads');
  await anna.confirms('Delete');
  await anna.sees("A transfer is in progress. Try again when it's finished.");
  await anna.closes();
  await anna.types('/drop status', { in: '#general' });
  await anna.sees('@Bo is sending');
  await anna.sees('A transfer is in progress.');
  expect(anna.screen()).not.toContain('Delete pending uploads');
  await slow.release();
  expect((await sending).state).toBe('sent');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf']]);
});

test('the status reports a service that hangs, and a click delivered twice runs once', async () => {
  const setup = await setUpApp(postgres, { timing: { healthMs: 1_000 } });
  const { anna, exchange, slack, account, untilIdle } = setup;
  const hasPolled = () => exchange.calls.some(({ operation }) => operation === 'get_history');
  await expect.poll(hasPolled).toBe(true);
  exchange.addFault({ operation: 'get_history', kind: 'hang' });
  exchange.addFault({ operation: 'get_files', kind: 'hang' });
  await anna.types('/drop status', { in: '#general' });
  await anna.sees("⚠️ The service isn't working right now. The service didn't answer in time.");
  await anna.sees("I couldn't check the uploaded files.");
  const opened = slack.calls.find(({ method }) => method === 'views.open');
  expect(JSON.stringify(opened?.arguments)).toContain('One moment');
  account.receivers = [{ email: 'carl@example.org' }];
  slack.addFault({ delivery: 'block_actions', kind: 'duplicate' });
  await anna.clicks('Reset recipients');
  await anna.confirms('Reset');
  await anna.sees('Recipients reset.');
  await untilIdle();
  expect(exchange.calls.filter(({ operation }) => operation === 'receivers_set')).toHaveLength(1);
  expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
});
