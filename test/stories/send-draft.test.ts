import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { checks, confirms, putsAside } from '../helpers/sending.ts';

const postgres = startTestPostgres();
const kept = 'I have kept what you filled in.';

test('a form that is closed is kept: Continue shows all of it again, and it is sent', async () => {
  const { bo, account } = await setUpApp(postgres);
  await putsAside(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'Here you are');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees(kept);
  await bo.clicks('Continue');
  await bo.sees('carl@example.org');
  await bo.submits('Check before sending');
  await bo.sees('Here you are');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops).toMatchObject([
    { message: 'Here you are', receivers: [{ email: 'carl@example.org' }], files: [{ name: 'plan.pdf' }] },
  ]);
});

test('a summary that is not confirmed sends nothing, and can be gone on with', async () => {
  const { bo, account } = await setUpApp(postgres);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.attaches('Files', [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.submits('Check before sending');
  await bo.sees('cannot be recalled');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees(kept);
  expect(account.drops).toEqual([]);
  await bo.clicks('Continue');
  await bo.sees('carl@example.org');
  expect(bo.screen()).toContain('plan.pdf');
});

test('a form that was closed as it was opened leaves no word', async () => {
  const { bo, atRest } = await setUpApp(postgres);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.sees('Check before sending');
  await bo.closes();
  await atRest();
  await bo.opens('Dropline');
  expect(bo.screen()).not.toContain(kept);
});

test('what was begun meanwhile outlives that an earlier dispatch is tried again', async () => {
  const { bo, account } = await setUpApp(postgres);
  account.uploads.push({ name: 'stranger.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  await putsAside(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await checks(bo);
  await confirms(bo, 1);
  await bo.sees('⚠️ Not sent');
  account.uploads = [];
  await bo.types('/drop send');
  await bo.picks('To', 'dora');
  await bo.fills('Message', 'Something else');
  await bo.closes();
  await bo.sees(kept);
  await bo.clicks('Try again …');
  await bo.sees('cannot be recalled');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops).toMatchObject([{ receivers: [{ email: 'carl@example.org' }] }]);
  await bo.types('/drop send');
  await bo.sees('Something else');
  await bo.sees('dora@example.net');
});
