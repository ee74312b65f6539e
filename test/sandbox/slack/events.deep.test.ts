import { expect, test } from 'vitest';
import { expectEventually, setUpWorkspace } from './helper.ts';
import { retries, startPlainBot } from './plain-bot.ts';

test('an event that is not answered in time is retried until it is answered', async () => {
  const setup = await setUpWorkspace({ behaviour: { retryDelaysMs: [0, 0, 0], ackMs: 2_000 } });
  const received = await startPlainBot(setup, (index, response) => {
    if (index === 2) response.end();
  });
  await setup.anna.opens('Home of Dropline');
  await expectEventually(() => retries(setup)).toEqual(['0 late', '1 acked']);
  expect(received[1]?.headers['x-slack-retry-reason']).toBe('http_timeout');
});

test('pending retries end when the server closes', async () => {
  const setup = await setUpWorkspace({ behaviour: { retryDelaysMs: [2_000] } });
  const received = await startPlainBot(setup, (_, response) => void response.writeHead(500).end());
  await setup.anna.opens('Home of Dropline');
  await setup.slack.untilIdle();
  await setup.slack.close();
  await new Promise((resolve) => setTimeout(resolve, 2_200));
  expect(received).toHaveLength(1);
});
