import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();
const attachAgain = 'If you attached files, attach them again.';

test('the Continue button restores the draft of a closed form, which can then be sent', async () => {
  const { bo, account } = await setUpApp(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'Here you are');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees(`Your draft is saved: recipients and message. ${attachAgain}`);
  await bo.clicks('Continue');
  await bo.sees('carl@example.org');
  await bo.submits('Review');
  await bo.sees('Here you are');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops).toMatchObject([
    { message: 'Here you are', receivers: [{ email: 'carl@example.org' }], files: [{ name: 'plan.pdf' }] },
  ]);
});

test('closing a review sends no transfer, and its draft can be continued', async () => {
  const { bo, account } = await setUpApp(postgres);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.attaches('Files', [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.submits('Review');
  await bo.sees("can't be recalled");
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('Nothing was sent. Your draft is saved.');
  expect(account.drops).toEqual([]);
  await bo.clicks('Continue');
  await bo.sees('carl@example.org');
  expect(bo.screen()).toContain('plan.pdf');
});
