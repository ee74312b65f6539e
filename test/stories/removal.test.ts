import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { findRemoved, hourOf } from '../../src/features/install/removal.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { dumpOf } from '../helpers/dump.ts';
import { user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const dayMs = 86_400_000;

/** The app is removed and installed again; only then are the events of the removal told. */
async function removeAndInstallAgain({ acme, anna, slack, install }: AppSetup) {
  const faults = (['app_uninstalled', 'tokens_revoked'] as const).map((event) =>
    slack.addFault({ delivery: 'event', event, kind: 'delay' }),
  );
  acme.uninstall();
  await Promise.all(faults.map(({ struck }) => struck));
  await install(acme, anna);
  return {
    async tellAtLast() {
      for (const fault of faults) fault.release();
      await slack.settled();
    },
  };
}

test('a removal that is told late leaves the installation that has come since, and forgets what is older', async () => {
  const setup = await setUpApp(postgres);
  const { acme, anna, services, atRest } = setup;
  // A second old at least: Slack tells times in whole ones.
  const connected = await services.store.credentials.get(acme.id);
  if (connected === undefined) throw new Error('it is not connected');
  await services.store.credentials.set(acme.id, { ...connected, connectedAt: Date.now() - 5_000 });
  const removal = await removeAndInstallAgain(setup);
  await removal.tellAtLast();
  await atRest();
  expect(await services.store.credentials.get(acme.id)).toBeUndefined();
  expect((await services.slack.botOf(acme.id))?.token).toBe(acme.installation?.botToken);
  await anna.types('/drop help', { in: '#general' });
  await anna.sees('/drop connect');
});

test('a removal that is told late leaves the connection that was made since', async () => {
  const setup = await setUpApp(postgres);
  const { acme, services, atRest } = setup;
  const removal = await removeAndInstallAgain(setup);
  const connected = await services.store.credentials.get(acme.id);
  if (connected === undefined) throw new Error('it is not connected');
  const again = { ...connected, connectedAt: Date.now() + 5_000 };
  await services.store.credentials.set(acme.id, again);
  await removal.tellAtLast();
  await atRest();
  expect(await services.store.credentials.get(acme.id)).toEqual(again);
});

test('after a removal nothing in the database names the workspace', async () => {
  const { acme, anna, bo, services, exchange, atRest, database } = await setUpApp(postgres, { pollMs: 300 });
  const channel = acme.addChannel({ name: 'inbox', members: [anna, 'app'] });
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { inboxChannel: channel.id });
  await anna.opens('#inbox');
  await anna.sees('The inbox is empty.');
  await exchange.addInboxItem(user, { sender: 'carl@example.org', files: [{ name: 'plan.pdf', data: 'the plan' }] });
  await anna.sees('plan.pdf');
  await bo.types('/drop contacts', { in: '#general' });
  await bo.sees('carl@example.org');
  acme.uninstall();
  await atRest();
  const admin = new pg.Pool(database.connection);
  onTestFinished(() => admin.end());
  const lines = (await dumpOf(admin)).split('\n');
  expect(lines.filter((line) => line.includes(acme.id))).toEqual([]);
});

test('a removal is believed where Slack cannot be asked', async () => {
  const { acme, services, slack, atRest } = await setUpApp(postgres);
  slack.addFault({ method: 'auth.test', kind: 'error', error: 'fatal_error', times: 10 });
  acme.uninstall();
  await atRest();
  expect(await services.store.credentials.get(acme.id)).toBeUndefined();
});

/** The app is removed while nobody listens. */
async function setUpUnheard() {
  const setup = await setUpApp(postgres);
  const { acme, slack, services } = setup;
  for (const event of ['app_uninstalled', 'tokens_revoked'] as const) {
    slack.addFault({ delivery: 'event', event, kind: 'unreachable', times: 10 });
  }
  acme.uninstall();
  const turn = Math.ceil(Date.now() / dayMs) * dayMs + hourOf(acme.id) * 3_600_000;
  const isKept = async () => (await services.store.installations.get(acme.id)) !== undefined;
  return { ...setup, turn, isKept };
}

test('a removal that nobody heard of is found when Slack has refused the token for two days', async () => {
  const { acme, services, turn, isKept, atRest } = await setUpUnheard();
  await findRemoved(services, turn);
  await findRemoved(services, turn + 1_000);
  await findRemoved(services, turn + dayMs - 3_600_000);
  expect(await isKept()).toBe(true);
  await findRemoved(services, turn + dayMs);
  expect(await isKept()).toBe(false);
  await atRest();
  expect(await services.store.credentials.get(acme.id)).toBeUndefined();
});

test('a workspace for which Slack does not answer keeps no other from being found', async () => {
  const { services, slack, turn, acme } = await setUpUnheard();
  const refused = services.store.collection({ kind: 'refused-since', schema: z.number() });
  const sooner = Array.from({ length: 1_000 }, (_, number) => `A${number}`).find(
    (id) => hourOf(id) === hourOf(acme.id),
  );
  if (sooner === undefined) throw new Error('none has its turn in that hour');
  await services.store.installations.set(sooner, { team: { id: sooner }, bot: { token: 'xoxb-sooner' } });
  slack.addFault({ method: 'auth.test', kind: 'reset-before', times: 4 });
  await findRemoved(services, turn);
  expect(await refused.get(sooner)).toBeUndefined();
  expect(await refused.get(acme.id)).toBe(turn);
});

test('a token that Slack refuses once by mistake is none of an app that was removed', async () => {
  const setup = await setUpApp(postgres);
  const { acme, slack, services } = setup;
  const turn = Math.ceil(Date.now() / dayMs) * dayMs + hourOf(acme.id) * 3_600_000;
  const refuse = () => slack.addFault({ method: 'auth.test', kind: 'error', error: 'account_inactive' });
  refuse();
  await findRemoved(services, turn);
  await findRemoved(services, turn + dayMs);
  refuse();
  await findRemoved(services, turn + 2 * dayMs);
  expect(await services.store.installations.get(acme.id)).toBeDefined();
  expect(await services.store.credentials.get(acme.id)).toBeDefined();
});

test('a Slack that refuses everything has removed nothing', async () => {
  const { acme, slack, services } = await setUpApp(postgres);
  const turn = Math.ceil(Date.now() / dayMs) * dayMs + hourOf(acme.id) * 3_600_000;
  slack.addFault({ method: 'auth.test', kind: 'error', error: 'invalid_auth', times: 10 });
  for (const day of [0, 1, 2]) await findRemoved(services, turn + day * dayMs);
  expect(await services.store.installations.get(acme.id)).toBeDefined();
});

test('the token of the one workspace that is served says nothing of others that are kept from before', async () => {
  const { services, acme } = await setUpApp(postgres, { socketMode: true });
  const { installations, credentials } = services.store;
  await installations.set('T-BEFORE', { team: { id: 'T-BEFORE' }, bot: { token: 'xoxb-before' } });
  const connected = await credentials.get(acme.id);
  if (connected === undefined) throw new Error('it is not connected');
  await credentials.set('T-BEFORE', connected);
  const turn = Math.ceil(Date.now() / dayMs) * dayMs + hourOf('T-BEFORE') * 3_600_000;
  for (const day of [0, 1, 2]) await findRemoved(services, turn + day * dayMs);
  expect(await credentials.get('T-BEFORE')).toEqual(connected);
});
