import { expect, test } from 'vitest';
import { disconnect } from '../../src/features/account/leave/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { setUpDisconnect } from './disconnect.ts';

const postgres = startTestPostgres();
const finishedText = "✅ Disconnected. This workspace's data in Dropline was deleted, except the audit log";

test('a disconnect deletes all data but the audit and ends with one message', async () => {
  const { anna, bo, disconnect, countNotices, rowsContaining, services, acme } = await setUpDisconnect(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await disconnect();
  expect(await services.store.credentials.get({ workspace: acme.id })).toBeUndefined();
  expect(await rowsContaining(anna.id)).toEqual([]);
  expect((await services.store.audit.list(acme.id)).map(({ action }) => action)).toEqual(['disconnect', 'connect']);
  await anna.opens('Dropline');
  await anna.sees(`${finishedText}.`);
  expect(countNotices()).toBe(1);
});

test('a disconnect that was clicked twice is recorded once', async () => {
  const { anna, acme, services, untilIdle } = await setUpDisconnect(postgres);
  const admin = { workspace: acme.id, person: anna.id };
  await Promise.all([disconnect(services, admin), disconnect(services, admin)]);
  await untilIdle();
  await expect(disconnect(services, admin)).rejects.toMatchObject({ code: 'not-connected' });
  const entries = await services.store.audit.list(acme.id, { action: 'disconnect' });
  expect(entries.map(({ outcome }) => outcome)).toEqual(['not-connected', 'done']);
});

test('an additional admin cannot disconnect, and help does not offer it', async () => {
  const { anna, bo, acme, services } = await setUpDisconnect(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { admins: [bo.id] });
  await bo.types('/drop help', { in: '#general' });
  await bo.sees('/drop settings');
  await bo.doesNotSee('/drop disconnect');
  const refusal = 'Only admins and owners in Slack can disconnect this workspace.';
  await bo.types('/drop help disconnect');
  await bo.sees(refusal);
  await bo.types('/drop disconnect');
  await bo.sees(`⚠️ ${refusal}`);
  const bos = { workspace: acme.id, person: bo.id };
  await expect(disconnect(services, bos)).rejects.toMatchObject({ code: 'not-allowed', message: refusal });
  expect(await services.store.credentials.get({ workspace: acme.id })).not.toHaveProperty('leavingSince');
});

test("the workspace's admins read and export the audit while no account is connected", async () => {
  const { anna, bo, disconnect: disconnects, services, acme } = await setUpDisconnect(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { admins: [bo.id] });
  await disconnects();
  await anna.types('/drop help');
  await anna.sees('/drop audit [words] View the audit log');
  await anna.types('/drop audit');
  await anna.sees('@Anna disconnected the workspace');
  await anna.sees('@Anna changed settings');
  await anna.clicks('Export as CSV');
  await anna.sees("I'll send you the CSV in a direct message.");
  await anna.closes();
  await anna.opens('Dropline');
  await anna.sees("Here's the audit of this workspace as CSV");
  await bo.opens('Dropline');
  await bo.sees(`@Anna disconnected this workspace from the account ${user}.`);
  await bo.types('/drop audit', { in: '#general' });
  await bo.sees('Only admins and auditors can do this.');
});
