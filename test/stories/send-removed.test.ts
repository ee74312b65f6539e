import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();

const ready = 'Choose from your files ready to send';
const plan = { name: 'plan.pdf', data: 'the plan' };
const wrong = { name: 'wrong.pdf', data: 'not this one' };

test('a file removed after Back does not return in the next transfer', async () => {
  const { bo, account } = await setUpApp(postgres);
  await reviews(bo, { attached: [plan, wrong] });
  await bo.clicks('Back');
  await bo.unpicks(ready, 'wrong.pdf');
  await bo.picks(ready, 'wrong.pdf');
  await bo.unpicks(ready, 'wrong.pdf');
  await bo.submits('Review');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf']]);
  await bo.types('/drop send');
  await bo.picks('To', 'carl');
  expect(bo.screen()).not.toContain('wrong.pdf');
});
