import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
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
