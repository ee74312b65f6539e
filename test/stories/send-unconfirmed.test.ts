import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendUnconfirmed } from './send-unconfirmed.ts';

const postgres = startTestPostgres();

test('resending an unconfirmed transfer shows a warning, and a duplicate is reported', async () => {
  const { bo, anna, exchange, account, checkHistory } = await sendUnconfirmed(postgres);
  await bo.sees("I'll keep checking the history until");
  await bo.sees('If you send it again before then, the recipients could get it twice.');
  await bo.clicks('Try again…');
  await bo.sees('Possible duplicate. You tried to send this on ');
  await bo.sees('It was probably not sent.');
  exchange.behaviour.historyLag = 0;
  await bo.submits('Send 1 file to 1 person');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('✅ Sent');
  await checkHistory();
  await bo.sees('⚠️ Sent twice');
  await bo.sees('and you sent it again. Both were sent, so the recipients have it twice.');
  await anna.opens('Dropline');
  await anna.sees('A transfer to carl@example.org was sent twice.');
  await anna.sees('Sent by @Bo');
  expect(account.drops).toHaveLength(2);
});
