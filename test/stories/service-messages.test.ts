import { expect, test } from 'vitest';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';
import { cardsOf, expectPlainText, refuseOperation, startRefusedTransfer } from './service-messages.ts';

const postgres = startTestPostgres();

test("the service's error for a transfer is shown as plain text", async () => {
  const app = await setUpApp(postgres);
  const { bo, slack } = app;
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  refuseOperation(app, 'receivers_set');
  await confirms(bo, 1);
  await bo.sees(/(?:Not sent[\s\S]*<https:\/\/evil\.example\|Sign in> <!channel> \*now\*[\s\S]*){2}/);
  expectPlainText(slack, 1);
});

test('a transfer whose card was deleted gets one new card, whose location is stored', async () => {
  const app = await setUpApp(postgres);
  const { acme, bo, services, slack } = app;
  const refusal = await startRefusedTransfer(app);
  const { rows } = await services.store.pool.query<{ id: string }>('select id from dropline.dispatches');
  const transfer = () => transfersIn(services.store).read(rows[0]?.id ?? '');
  const { channel = '', ts = '' } = await until(async () => (await transfer())?.details?.place, "the transfer's card");
  const client = await services.slack.clientOf(acme.id);
  await client.chat.delete({ channel, ts });
  await refusal.release();
  await bo.sees('Not sent');
  await until(async () => (await transfer())?.notifiedAt, 'the transfer to end');
  const cards = cardsOf(bo);
  expect(cards).toHaveLength(1);
  expect((await transfer())?.details?.place?.ts).toBe(cards[0]?.ts);
  expect(slack.calls.filter(({ error }) => error === 'thread_not_found')).toEqual([]);
});
