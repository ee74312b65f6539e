import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { commandOf, deliver, formType } from '../helpers/deliver.ts';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { serve } from '../helpers/serve.ts';

const postgres = startTestPostgres();

test("a command whose answer can't be delivered is answered in a DM and logged", async () => {
  const { url, acme, bo, slack, logged } = await setUpApp(postgres);
  const hanging = await serve(createServer());
  const deadUrls = [`${slack.url}/actions/T1/1/x`, hanging];
  for (const [number, responseUrl] of deadUrls.entries()) {
    const command = commandOf(bo, acme, `word${number}`, responseUrl);
    expect((await deliver(url, command, { type: formType })).status).toBe(200);
  }
  await bo.opens('Dropline');
  await bo.sees("I don't know “word0”.");
  await bo.sees("I don't know “word1”.");
  const lines = logged().split('\n');
  const refused = lines.filter((line) => line.includes('slack refused the answer')).map((line) => JSON.parse(line));
  expect(refused.map(({ person, err }) => [person, err.message])).toEqual([
    [bo.id, 'Slack refused the answer: status 404'],
    [bo.id, 'Headers Timeout Error'],
  ]);
});

test('if an event that no person triggered fails, no message is sent', async () => {
  const { bo, acme, services, database, slack, logged } = await setUpApp(postgres, { isWorking: false });
  const client = await services.slack.clientOf(acme.id);
  const { channel = '', ts = '' } = await client.chat.postMessage({ channel: bo.id, text: 'before' });
  await slack.untilIdle();
  await database.disconnect();
  await client.chat.update({ channel, ts, text: 'after' });
  await slack.untilIdle();
  await until(() => logged().includes('"msg":"failed"') || undefined, 'the failure to be logged');
  await database.reconnect();
  // A message about the failure would arrive before the answer to this command. The command is typed in a channel,
  // because opening the app posts a welcome.
  await bo.types('/drop', { in: '#general' });
  await bo.sees('/drop history');
  expect(slack.calls.filter(({ error }) => error !== undefined)).toEqual([]);
  const posts = slack.calls.filter(({ method }) => method === 'chat.postMessage');
  expect(posts.map((post) => post.arguments.text)).toEqual(['before']);
});
