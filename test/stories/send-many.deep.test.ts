import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { membersOf } from './send-many.ts';

const postgres = startTestPostgres();

test('more than 200 recipients are refused at their field', async () => {
  const { bo, account } = await setUpApp(postgres);
  account.contacts.local = membersOf('everybody', 201);
  await stages(bo, [{ name: 'news.pdf', data: 'the news' }]);
  await bo.types('/drop send');
  await bo.picks('To', 'everybody');
  await bo.submits('Review');
  await bo.sees('Too many recipients (201; limit 200).');
  expect(account.drops).toEqual([]);
});
