import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { readiness } from '../helpers/bot-process.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test("a person uses a command and a modal in Socket Mode with one workspace's token", async () => {
  const { anna, slack, acme } = await setUpApp(postgres, { socketMode: true, connected: false });
  await anna.types('/drop help', { in: '#general' });
  await anna.sees('/drop connect');
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Service URL', 'https://files.example.com');
  await anna.fills('Account email', 'no address');
  await anna.fills('API key', 'k');
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Test and connect');
  await anna.sees("isn't an allowed host");
  expect(slack.deliveries.every(({ outcome }) => outcome === 'acked')).toBe(true);
  expect(acme.installation).toBeDefined();
});

test('while Slack renews connections, nothing fails, and the new ones are open before', async () => {
  const { anna, slack } = await setUpApp(postgres, { socketMode: true, connected: false });
  await expect.poll(() => slack.countSockets(), { timeout: 5_000 }).toBe(2);
  for (const [reason, howMany] of [
    ['warning', 1],
    ['refresh_requested', 2],
  ] as const) {
    const before = slack.countSockets();
    slack.refreshSockets(reason, howMany);
    // Over each of the connections, as Slack can still use those that it is about to close.
    for (let count = 0; count < before; count++) await anna.types('/drop halp', { in: '#general' });
    expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
    await expect.poll(() => slack.countSockets(), { timeout: 5_000 }).toBeGreaterThan(before);
  }
});

test('what Slack sends over both connections is processed once', async () => {
  const { anna, slack, url } = await setUpApp(postgres, { socketMode: true, connected: false });
  await expect.poll(() => readiness(url), { timeout: 5_000 }).toEqual({ status: 200, database: true, slack: 2 });
  // The connections take turns, so each gets one of the two.
  slack.addFault({ delivery: 'event', event: 'message', kind: 'duplicate' });
  await anna.types('help', { in: 'Dropline' });
  await anna.sees('/drop connect');
  slack.addFault({ delivery: 'slash_command', kind: 'duplicate' });
  await anna.types('/drop halp', { in: '#general' });
  await anna.sees('Did you mean');
  await slack.untilIdle();
  await anna.types('/drop hulp', { in: '#general' });
  await anna.sees('“hulp”');
  const texts = anna.messages.map(({ text }) => text);
  expect(texts.filter((text) => text.includes('“halp”'))).toHaveLength(1);
  const posts = slack.calls.filter(({ method }) => method === 'chat.postMessage').map((call) => call.arguments.text);
  expect(posts).toEqual([...new Set(posts)]);
  expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
});
