import { test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('10,000 contacts can be searched and paged; an empty list shows a message', async () => {
  const { bo, account } = await setUpApp(postgres);
  account.contacts.local = Array.from({ length: 10_000 }, (_, number) => ({
    email: `p${String(number).padStart(4, '0')}@example.org`,
    nick: number === 4_711 ? 'José' : 'Somebody',
  }));
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.sees('10,000 contacts.');
  await bo.sees('Page 1 of 1,000');
  await bo.clicks('Next page');
  await bo.sees('Page 2 of 1,000');
  await bo.sees('p0010@example.org');
  await bo.fills('Search', 'jose');
  await bo.submits('Search');
  await bo.sees('1 of 10,000 contacts matches “jose”.');
  await bo.sees('p4711@example.org (José)');
  await bo.clicks('Show all contacts');
  await bo.sees('Page 1 of 1,000');
  await bo.closes();
  await bo.types('/drop contacts p123');
  await bo.sees('10 of 10,000 contacts match “p123”.');
  await bo.closes();
  account.contacts.local = [];
  await bo.types('/drop contacts');
  await bo.sees('No contacts yet.');
});
