import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();

const ready = 'Choose from your files ready to send';
const plan = { name: 'plan.pdf', data: 'the plan' };
const wrong = { name: 'wrong.pdf', data: 'not this one' };

test('a file from a direct message that is removed in the form stays, but not selected', async () => {
  const { bo, account } = await setUpApp(postgres);
  await stages(bo, [plan, wrong]);
  await bo.types('/drop send');
  await bo.picks('To', 'carl');
  await bo.unpicks(ready, 'wrong.pdf');
  await bo.submits('Review');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  await reviews(bo, { attached: [{ name: 'other.pdf', data: 'another one' }], field: 'More files' });
  await confirms(bo, 1);
  await expect.poll(() => account.drops.length).toBe(2);
  expect(account.drops[1]?.files.map(({ name }) => name)).toEqual(['other.pdf']);
  await bo.types('/drop files');
  await bo.sees('wrong.pdf · 12 bytes');
});
