import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, putsAside } from '../helpers/sending.ts';

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
