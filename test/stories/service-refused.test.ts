import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { sendStaged } from './send.ts';

const postgres = startTestPostgres();

test.each([401, 403])("after a %i response, the card doesn't claim that the service didn't answer", async (status) => {
  const { bo, exchange, slack } = await setUpApp(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  exchange.addFault({ operation: 'createdrop', kind: 'answer', answer: { status, body: '' } });
  await sendStaged(bo, 1);
  await bo.sees("The service didn't confirm it, and its history doesn't show this transfer.");
  const messageCalls = slack.calls
    .filter(({ method }) => method.startsWith('chat.'))
    .map((call) => JSON.stringify(call.arguments));
  expect(messageCalls.filter((text) => text.includes("didn't confirm it"))).not.toEqual([]);
  expect(messageCalls.filter((text) => /n[o']t answer/.test(text))).toEqual([]);
});

test('the inbox says why the last poll failed', async () => {
  const { bo, account, addItem } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  account.apiKey = 'another';
  account.tokens.length = 0;
  await expect
    .poll(
      async () => {
        await bo.types('/drop inbox');
        await bo.sees('newest first.');
        const isRefused = bo
          .screen()
          .includes("The last check failed: the service rejects this workspace's API key. See /drop status.");
        await bo.closes();
        return isRefused;
      },
      { interval: 300 },
    )
    .toBe(true);
});
