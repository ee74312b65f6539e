import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('while the service is slow, a form shows progress and then the outcome', async () => {
  const { bo, exchange, slack, account } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Edit', { near: 'emil@example.com' });
  await bo.fills('Name', 'Emilia');
  const reading = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await bo.submits('Save');
  await bo.sees('Working on it…');
  await reading.release();
  await bo.sees('Done: 1 contact changed.');
  expect(account.contacts.local[2]).toMatchObject({ nick: 'Emilia' });
  await slack.settled();
  expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
});
