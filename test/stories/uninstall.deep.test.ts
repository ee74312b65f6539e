import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkHourOf, disconnectUninstalled } from '../../src/features/account/leave/listeners.ts';
import { setUpApp } from '../helpers/app.ts';
import { startBotFor, terminate } from '../helpers/bot-process.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { checkTimeOf, dayMs, reinstall, setUpMissedUninstall } from './uninstall.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('a late uninstall event keeps a connection made after the uninstall', async () => {
  const setup = await setUpApp(postgres);
  const { acme, services, untilIdle } = setup;
  const { deliverEvents } = await reinstall(setup);
  const connected = await services.store.credentials.get({ workspace: acme.id });
  if (connected === undefined) throw new Error('the workspace is not connected');
  const reconnected = { ...connected, connectedAt: Date.now() + 5_000 };
  await services.store.credentials.set(acme.id, reconnected);
  await deliverEvents();
  await untilIdle();
  expect(await services.store.credentials.get({ workspace: acme.id })).toEqual(reconnected);
});

test("an uninstall event is trusted when Slack can't confirm it", async () => {
  const { acme, services, slack, untilIdle } = await setUpApp(postgres);
  slack.addFault({ method: 'auth.test', kind: 'error', error: 'fatal_error', times: 10 });
  acme.uninstall();
  await untilIdle();
  expect(await services.store.credentials.get({ workspace: acme.id })).toBeUndefined();
});

test("if a workspace's token check gets no answer, other checks aren't blocked", async () => {
  const { services, slack, checkTime, acme } = await setUpMissedUninstall(postgres);
  const refused = services.store.collection({ kind: 'refused-since', schema: z.number() });
  const earlier = Array.from({ length: 1_000 }, (_, number) => `A${number}`).find(
    (id) => checkHourOf(id) === checkHourOf(acme.id),
  );
  if (earlier === undefined) throw new Error('no id is checked in that hour');
  await services.store.installations.set(earlier, { team: { id: earlier }, bot: { token: 'xoxb-earlier' } });
  slack.addFault({ method: 'auth.test', kind: 'reset-before', times: 4 });
  await disconnectUninstalled(services, checkTime);
  expect(await refused.get(earlier)).toBeUndefined();
  expect(await refused.get(acme.id)).toBe(checkTime);
});

test("token refusals with a success in between don't count as an uninstall", async () => {
  const setup = await setUpApp(postgres);
  const { acme, slack, services } = setup;
  const checkTime = checkTimeOf(acme.id);
  const refuse = () => slack.addFault({ method: 'auth.test', kind: 'error', error: 'account_inactive' });
  refuse();
  await disconnectUninstalled(services, checkTime);
  await disconnectUninstalled(services, checkTime + dayMs);
  refuse();
  await disconnectUninstalled(services, checkTime + 2 * dayMs);
  expect(await services.store.installations.get(acme.id)).toBeDefined();
  expect(await services.store.credentials.get({ workspace: acme.id })).toBeDefined();
});

test('an invalid_auth error from Slack does not count as an uninstall', async () => {
  const { acme, slack, services } = await setUpApp(postgres);
  const checkTime = checkTimeOf(acme.id);
  slack.addFault({ method: 'auth.test', kind: 'error', error: 'invalid_auth', times: 10 });
  for (const day of [0, 1, 2]) await disconnectUninstalled(services, checkTime + day * dayMs);
  expect(await services.store.installations.get(acme.id)).toBeDefined();
});

test('with a single-workspace token, the data of other workspaces is never removed', async () => {
  const { services, acme } = await setUpApp(postgres, { socketMode: true });
  const { installations, credentials } = services.store;
  await installations.set('T-BEFORE', { team: { id: 'T-BEFORE' }, bot: { token: 'xoxb-before' } });
  const connected = await credentials.get({ workspace: acme.id });
  if (connected === undefined) throw new Error('the workspace is not connected');
  await credentials.set('T-BEFORE', connected);
  const checkTime = checkTimeOf('T-BEFORE');
  for (const day of [0, 1, 2]) await disconnectUninstalled(services, checkTime + day * dayMs);
  expect(await credentials.get({ workspace: 'T-BEFORE' })).toEqual(connected);
});

test('a missed uninstall is detected once Slack has refused the token on two days', async () => {
  const { acme, services, checkTime, isInstalled, untilIdle } = await setUpMissedUninstall(postgres);
  await disconnectUninstalled(services, checkTime);
  await disconnectUninstalled(services, checkTime + 1_000);
  await disconnectUninstalled(services, checkTime + dayMs - 3_600_000);
  expect(await isInstalled()).toBe(true);
  await disconnectUninstalled(services, checkTime + dayMs);
  expect(await isInstalled()).toBe(false);
  await untilIdle();
  expect(await services.store.credentials.get({ workspace: acme.id })).toBeUndefined();
});

test('a stop ends the retries of an event while the database is down and exits with 0', async () => {
  const setup = await setUpApp(postgres, { hasExternalBot: true });
  const { acme, database, slack } = setup;
  const bot = await startBotFor(programs, setup);
  await database.disconnect();
  acme.uninstall();
  await slack.untilIdle();
  await expect.poll(() => bot.printed().includes('"msg":"failed"'), { timeout: 10_000 }).toBe(true);
  expect(await terminate(bot)).toEqual({ code: 0, signal: null });
  expect(bot.printed()).not.toContain('after calling end on the pool');
  await database.reconnect();
}, 60_000);
