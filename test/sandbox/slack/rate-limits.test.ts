import { WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { startSlackServer } from '../../../src/sandbox/slack/index.ts';
import { app, clientFor, setUpWorkspace, silent } from './helper.ts';

test('a channel accepts one message a second; the next gets 429', async () => {
  let now = Date.now();
  const setup = await setUpWorkspace({ rateLimits: true, clock: () => now });
  const options = { slackApiUrl: setup.slack.apiUrl, logger: silent, rejectRateLimitedCalls: true };
  const client = new WebClient(setup.token, options);
  const channel = setup.acme.channel('general').id;
  await client.chat.postMessage({ channel, text: 'One' });
  await expect(client.chat.postMessage({ channel, text: 'Two' })).rejects.toMatchObject({ retryAfter: 1 });
  await client.chat.postMessage({ channel: setup.anna.id, text: 'Elsewhere' });
  now += 1000;
  await client.chat.postMessage({ channel, text: 'Three' });
  expect(setup.acme.channel('general').messages.map(({ text }) => text)).toEqual(['One', 'Three']);
  expect(setup.slack.calls.map(({ status }) => status)).toEqual([200, 429, 200, 200]);
});

test('a method has the limit of its tier, separately for each workspace', async () => {
  const setup = await setUpWorkspace({ rateLimits: true });
  const options = { slackApiUrl: setup.slack.apiUrl, logger: silent, rejectRateLimitedCalls: true };
  const client = new WebClient(setup.token, options);
  const info = () => client.conversations.info({ channel: setup.acme.channel('general').id });
  for (let call = 0; call < 50; call++) await info();
  await expect(info()).rejects.toMatchObject({ retryAfter: expect.any(Number) });
  await client.auth.test();
  const other = setup.slack.addWorkspace({ name: 'Other' });
  const { botToken } = other.install({ by: other.addPerson({ name: 'Olga', role: 'owner' }) });
  const { id } = other.addChannel({ name: 'general' });
  await new WebClient(botToken, options).conversations.info({ channel: id });
  setup.clock.skipped = 60_000;
  await info();
});

test('by default, files.info is limited to 100 calls a minute', async () => {
  const slack = await startSlackServer({ app });
  onTestFinished(() => slack.close());
  const acme = slack.addWorkspace({ name: 'Acme' });
  const anna = acme.addPerson({ name: 'Anna', role: 'owner' });
  const { botToken } = acme.install({ by: anna });
  await anna.shares([{ name: 'a.txt', data: 'abc' }], { in: 'Dropline' });
  const options = { slackApiUrl: slack.apiUrl, logger: silent, rejectRateLimitedCalls: true };
  const client = new WebClient(botToken, options);
  const file = acme.files[0]?.id ?? '';
  for (let call = 0; call < 100; call++) await client.files.info({ file });
  await expect(client.files.info({ file })).rejects.toMatchObject({ retryAfter: expect.any(Number) });
});

test('rate limits can be turned off', async () => {
  const setup = await setUpWorkspace({ rateLimits: false });
  const client = clientFor(setup.slack, setup.token);
  const channel = setup.acme.channel('general').id;
  for (const text of ['One', 'Two', 'Three']) await client.chat.postMessage({ channel, text });
  expect(setup.acme.channel('general').messages).toHaveLength(3);
});
