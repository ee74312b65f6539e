import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createSlackApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { listen } from '../../src/process/health.ts';
import { webRoutes } from '../../src/process/web.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a shutdown also waits for requests that are acknowledged during it', async () => {
  const { anna, bo, env, exchange, services, slack } = await setUpApp(postgres, { hasExternalBot: true });
  const app = createSlackApp(services, readConfig('web', env).slack);
  const server = await listen(webRoutes(services, undefined, app), 0, '127.0.0.1');
  onTestFinished(() => server.close());
  slack.deliverTo(`http://127.0.0.1:${server.port}`);
  const requestHistory = async (person: Person) => {
    const slow = exchange.addFault({ operation: 'get_history', kind: 'delay' });
    await person.types('/drop history', { in: '#general' });
    await person.sees('One moment');
    return slow;
  };
  const first = await requestHistory(bo);
  await first.triggered;
  let isDrained = false;
  const drained = app.drain(30_000).then(() => {
    isDrained = true;
  });
  const second = await requestHistory(anna);
  await first.release();
  await bo.sees('Nothing sent yet');
  await second.triggered;
  await sleep(300);
  expect(isDrained).toBe(false);
  await second.release();
  await anna.sees('Nothing sent yet');
  await drained;
  await bo.closes();
  const third = await requestHistory(bo);
  await third.triggered;
  await app.drain(50);
  await third.release();
  await app.drain(30_000);
}, 60_000);
