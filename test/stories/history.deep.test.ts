import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a slow history appears once it is loaded; a closed modal causes no message', async () => {
  const { anna, bo, exchange, slack } = await setUpApp(postgres);
  const firstPoll = () => exchange.calls.some(({ operation }) => operation === 'get_history');
  await expect.poll(firstPoll).toBe(true);
  const slow = exchange.addFault({ operation: 'get_history', kind: 'delay' });
  await anna.types('/drop history', { in: '#general' });
  await anna.sees('One moment');
  await slow.triggered;
  await bo.types('/drop history', { in: '#general' });
  await bo.sees('One moment');
  await bo.closes();
  await slow.release();
  await anna.sees('Nothing sent yet.');
  await slack.untilIdle();
  expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
  expect(bo.messages.filter(({ text }) => text.includes('⚠️'))).toEqual([]);
});
