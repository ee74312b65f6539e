import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { fetchLink, setUpLinks } from './download-link.ts';

const postgres = startTestPostgres();

test('the message and the page of a download link say that anyone can use it', async () => {
  const { bo, addItem, linkTo } = await setUpLinks(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  const link = await linkTo('plan.pdf');
  await bo.opens('Dropline');
  await bo.sees("Don't share it: anyone who has it can use it.");
  const page = String((await fetchLink(link, 'GET')).body);
  expect(page).toContain("This link works once, for ten minutes. Don't share it: anyone who has it can use it.");
});
