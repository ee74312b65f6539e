import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpRequest } from './request-later.ts';

const postgres = startTestPostgres();

test('only the first files of each person go to the request, later ones to the inbox', async () => {
  const { bo, addItem, pollAt, inbox } = await setUpRequest(postgres);
  await pollAt(`now() + interval '1 hour'`);
  await addItem('carl@example.org', ['plan.pdf']);
  await addItem('carl@example.org', ['map.png']);
  await pollAt('now()');
  await bo.sees(/plan\.pdf[\s\S]*map\.png|map\.png[\s\S]*plan\.pdf/);
  await addItem('carl@example.org', ['invoice.pdf']);
  await expect
    .poll(() => inbox.messages.map(({ text }) => text))
    .toContain('1 file from carl@example.org: invoice.pdf');
  await bo.doesNotSee('invoice.pdf');
  await addItem('dora@example.net', ['letter.pdf']);
  await bo.sees('1 file from dora@example.net, requested by @Bo');
  expect(inbox.messages.filter(({ text }) => /plan|map|letter/.test(text))).toEqual([]);
});
