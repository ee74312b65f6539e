import { expect, test } from 'vitest';
import { resumePolling } from '../../src/features/status/operations.ts';
import { keepHold } from '../../src/features/transfers/holds.ts';
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
  await bo.sees('✅ The service answers. 0 downloads active now.');
  await bo.sees('Nobody is sending now.');
  expect(bo.screen()).not.toContain('Clear');

  await anna.types('/drop status', { in: '#general' });
  await anna.sees('⚠️ 1 file that Dropline did not put there.');
  await anna.sees('left by somebody.txt');
  await anna.clicks('Clear uploaded files');
  await anna.declines('Not now');
  expect(account.uploads).toHaveLength(1);
  await anna.clicks('Clear uploaded files');
  await anna.confirms('Remove them');
  await anna.sees('✅ Removed 1 file.');
  await anna.sees('No files are uploaded.');
  expect(account.uploads).toEqual([]);
  await anna.clicks('Clear receivers');
  await anna.confirms('Clear them');
  await anna.sees('Nobody is set as a receiver any more.');
  expect(account.receivers).toEqual([]);
});

test('an admin can release only the hold that the status shows', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, services, exchange, acme } = setup;
  const { id, account } = await sendFile(setup, bo, 'plan.pdf');
  await keepHold(services.store.pool, account, id, 'unknown');
  await bo.types('/drop status', { in: '#general' });
  await bo.sees('nobody knows whether a dispatch was sent');
  await bo.sees('Nothing is sent until an admin has looked into it');
  await anna.types('/drop status', { in: '#general' });
  await anna.sees(/Confirmed by @Bo on .*: plan\.pdf to carl@example\.org/);
  // Another transfer takes over the hold before Anna clicks.
  const { pool } = services.store;
  await pool.query('update dropline.holds set dispatch = $1', ['00000000-0000-4000-8000-000000000000']);
  await anna.clicks('Release …');
  await anna.confirms('Release');
  await anna.sees('Something else is on hold now.');
  expect((await pool.query('select from dropline.holds')).rowCount).toBe(1);
  await anna.closes();
  await anna.types('/drop status', { in: '#general' });
  await anna.sees('another workspace that shares the account');
  await anna.clicks('Release …');
  await anna.confirms('Release');
  await anna.sees('Released: people can send again.');
  expect((await pool.query('select from dropline.holds')).rowCount).toBe(0);
  expect(exchange.calls.filter(({ operation }) => operation === 'createdrop')).toHaveLength(1);
  expect(await failureOf(resumePolling(services, { workspace: acme.id, person: bo.id }))).toMatchObject({
    code: 'not-allowed',
  });
});

test('polling that stopped on a refused key resumes when an admin retries', async () => {
  const { anna, bo, account } = await setUpApp(postgres, { pollMs: 300 });
  account.apiKey = 'another';
  account.tokens.length = 0;
  await bo.opens('#general');
  await expect
    .poll(
      async () => {
        await bo.types('/drop status');
        await bo.sees('Incoming files');
        const isPaused = bo.screen().includes('Not looked for since');
        await bo.closes();
        return isPaused;
      },
      { interval: 300 },
    )
    .toBe(true);
  await bo.types('/drop status');
  await bo.sees('The service is not working right now.');
  await bo.sees('An admin can try again here');
  await anna.types('/drop status', { in: '#general' });
  await anna.clicks('Try again');
  await anna.sees('⚠️ The service refuses this account and key.');
  account.apiKey = apiKey;
  await anna.clicks('Try again');
  await anna.sees('The service accepts the key. Incoming files are looked for again.');
  await anna.sees('✅ The service answers.');
});
