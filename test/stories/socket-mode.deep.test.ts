import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { readiness } from '../helpers/bot-process.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const ready = { status: 200, database: true, slack: 2 };

const notReady = { status: 503, database: true, slack: 0 };

test('a process is alive but not ready during a Slack outage, and reconnects', async () => {
  const { anna, slack, url, logged } = await setUpApp(postgres, { socketMode: true, connected: false });
  // These are more failures than the client retries within one attempt.
  slack.addFault({ method: 'apps.connections.open', kind: 'reset-before', times: 5 });
  slack.closeSockets();
  await expect.poll(logged, { timeout: 20_000 }).toContain('slack connection not opened');
  expect(await readiness(url)).toEqual(notReady);
  await expect.poll(() => readiness(url), { timeout: 20_000 }).toEqual(ready);
  await anna.types('/drop help', { in: '#general' });
  await anna.sees('/drop connect');
});

test('the bot reconnects every time Slack closes all Socket Mode connections', async () => {
  const { anna, slack, url } = await setUpApp(postgres, { socketMode: true, connected: false });
  for (const command of ['/drop help', '/drop halp']) {
    await expect.poll(() => readiness(url), { timeout: 10_000 }).toEqual(ready);
    slack.closeSockets();
    await expect.poll(() => readiness(url), { interval: 20 }).toEqual(notReady);
    await expect.poll(() => readiness(url), { timeout: 10_000 }).toEqual(ready);
    await anna.types(command, { in: '#general' });
    await anna.sees(command === '/drop help' ? '/drop connect' : 'Did you mean help?');
  }
  expect(slack.calls.filter(({ method }) => method === 'apps.connections.open')).toHaveLength(6);
});

test('renewed connections are closed only after the last answers could be sent', async () => {
  const { slack, url } = await setUpApp(postgres, { socketMode: true, connected: false });
  await expect.poll(() => readiness(url), { timeout: 5_000 }).toEqual(ready);
  slack.refreshSockets('refresh_requested', 2);
  await expect.poll(() => slack.countSockets(), { interval: 20, timeout: 5_000 }).toBe(4);
  // Slack would close them after 10 seconds.
  await expect.poll(() => slack.countSockets(), { timeout: 6_000 }).toBe(2);
  expect(await readiness(url)).toEqual(ready);
});
