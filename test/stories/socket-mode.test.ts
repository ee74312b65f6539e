import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { readiness } from '../helpers/bot-process.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('one workspace is served by its token, and in Socket Mode: a command and a modal', async () => {
  const { anna, slack, acme } = await setUpApp(postgres, { socketMode: true, connected: false });
  await anna.types('/drop help', { in: '#general' });
  await anna.sees('/drop connect');
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Address of the service', 'https://files.example.com');
  await anna.fills("The account's e-mail address", 'no address');
  await anna.fills('API key', 'k');
  await anna.submits('Test and connect');
  await anna.sees('is not among the service hosts that may be connected here');
  expect(slack.deliveries.every(({ outcome }) => outcome === 'acked')).toBe(true);
  expect(acme.installation).toBeDefined();
});

const ready = { status: 200, database: true, slack: true };
const notReady = { status: 503, database: true, slack: false };

test('a connection that Slack ends is followed by another, as often as that happens', async () => {
  const { anna, slack, url } = await setUpApp(postgres, { socketMode: true, connected: false });
  for (const command of ['/drop help', '/drop halp']) {
    expect(await readiness(url)).toEqual(ready);
    slack.closeSockets();
    await expect.poll(() => readiness(url), { interval: 20 }).toEqual(notReady);
    await expect.poll(() => readiness(url), { timeout: 10_000 }).toEqual(ready);
    await anna.types(command, { in: '#general' });
    await anna.sees(command === '/drop help' ? '/drop connect' : 'Did you mean /drop help?');
  }
  expect(slack.calls.filter(({ method }) => method === 'apps.connections.open')).toHaveLength(3);
});
