import { expect, test } from 'vitest';
import { resumePolling } from '../../src/features/status/operations.ts';
import { setHold } from '../../src/features/transfers/holds/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, failureOf } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';
import { addUnexpectedFile } from './status.ts';

const postgres = startTestPostgres();

test('an admin can clear uploads and recipients from the status after confirming', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, account } = setup;
  addUnexpectedFile(setup, 'left by somebody.txt');
  account.receivers = [{ email: 'carl@example.org' }];
  await bo.types('/drop status', { in: '#general' });
  await bo.sees('Connected by @Anna');
  await bo.sees('✅ Service is online. 0 active links.');
  await bo.sees('No active transfers');
  await bo.sees("Malware scanner: none. Files aren't scanned.");
  expect(bo.screen()).not.toContain('Delete pending');

  await anna.types('/drop status', { in: '#general' });
  await anna.sees('⚠️ 1 file not uploaded by Dropline.');
  await anna.sees('left by somebody.txt');
  await anna.clicks('Delete pending uploads');
  await anna.declines('Cancel');
  expect(account.uploads).toHaveLength(1);
  await anna.clicks('Delete pending uploads');
  await anna.confirms('Delete');
  await anna.sees('✅ Deleted 1 file.');
  await anna.sees('No pending uploads.');
  await anna.doesNotSee('Delete pending uploads');
  expect(account.uploads).toEqual([]);
  await anna.clicks('Reset recipients');
  await anna.confirms('Reset');
  await anna.sees('Recipients reset.');
  expect(account.receivers).toEqual([]);
});

test('an admin can release only the hold that the status shows', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, services, exchange, acme } = setup;
  const { id, account } = await sendFile(setup, bo, 'plan.pdf');
  await setHold(services.store.pool, { id, workspace: acme.id, account }, 'unknown');
  await bo.types('/drop status', { in: '#general' });
  await bo.sees("a transfer's delivery is unconfirmed");
  await bo.sees('Sending is blocked until an admin reviews it');
  await anna.types('/drop status', { in: '#general' });
  await anna.sees(/Confirmed by @Bo on .*: plan\.pdf to carl@example\.org/);
  // Another transfer takes over the hold before Anna clicks.
  const { pool } = services.store;
  await pool.query('update dropline.holds set transfer = $1', ['00000000-0000-4000-8000-000000000000']);
  await anna.clicks('Resume sending…');
  await anna.confirms('Resume');
  await anna.sees('Something else is on hold now.');
  expect((await pool.query('select from dropline.holds')).rowCount).toBe(1);
  await anna.closes();
  await anna.types('/drop status', { in: '#general' });
  await anna.sees('another workspace that uses this account');
  await anna.clicks('Resume sending…');
  await anna.confirms('Resume');
  await anna.sees('Sending resumed.');
  expect((await pool.query('select from dropline.holds')).rowCount).toBe(0);
  expect(exchange.calls.filter(({ operation }) => operation === 'createdrop')).toHaveLength(1);
  expect(await failureOf(resumePolling(services, { workspace: acme.id, person: bo.id }))).toMatchObject({
    code: 'not-allowed',
  });
});

test('if polling stopped because of a refused key, it resumes when an admin retries', async () => {
  const { anna, bo, account } = await setUpApp(postgres, { pollMs: 300 });
  account.apiKey = 'another';
  account.tokens.length = 0;
  await bo.opens('#general');
  await expect
    .poll(
      async () => {
        await bo.types('/drop status');
        await bo.sees('Incoming files');
        const isPaused = bo.screen().includes('Not checked since');
        await bo.closes();
        return isPaused;
      },
      { interval: 300 },
    )
    .toBe(true);
  await bo.types('/drop status');
  await bo.sees('⚠️ The service denied access. Wrong account or API key.');
  await bo.sees('An admin can try again here');
  await anna.types('/drop status', { in: '#general' });
  await anna.clicks('Try again');
  await anna.sees('⚠️ Wrong account or API key.');
  account.apiKey = apiKey;
  await anna.clicks('Try again');
  await anna.sees("The service accepts the key. I'm checking for new files again.");
  await anna.sees('✅ Service is online.');
});

test('the status tells admins which permissions Slack did not grant', async () => {
  const { anna, bo } = await setUpApp(postgres, { declined: ['im:history'], hasPublicUrl: true });
  await anna.types('/drop status', { in: '#general' });
  await anna.sees("Slack didn't grant Dropline all permissions.");
  await anna.sees('im:history: messages to Dropline get no answer');
  await anna.sees('[Install again]');
  await bo.types('/drop status', { in: '#general' });
  await bo.sees('Service is online');
  expect(bo.screen()).not.toContain('im:history');
});
