import { expect, test } from 'vitest';
import { disconnect as disconnectWorkspace } from '../../src/features/account/leave/operations.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpDisconnect } from './disconnect.ts';
import { addUnexpectedFile } from './status.ts';

const postgres = startTestPostgres();
const finishedText = "✅ Disconnected. This workspace's data in Dropline was deleted, except the audit log";

test('a disconnect notice that failed to send is retried and sent once', async () => {
  const { anna, disconnect, countNotices, rowsContaining, slack, services, acme } = await setUpDisconnect(postgres);
  const refused = slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'fatal_error' });
  await disconnect();
  await refused.triggered;
  expect(await services.store.credentials.get({ workspace: acme.id })).toBeUndefined();
  await expect.poll(() => services.queue.retryNow(`leave ${acme.id}`).then(countNotices), { interval: 300 }).toBe(1);
  await expect.poll(() => rowsContaining(anna.id)).toEqual([]);
  expect(countNotices()).toBe(1);
});

test('if the service refuses the key, the disconnect notice says that uploads remain', async () => {
  const app = await setUpDisconnect(postgres);
  const { anna, account, disconnect } = app;
  addUnexpectedFile(app, 'left.pdf');
  account.apiKey = 'another';
  account.tokens.length = 0;
  await disconnect();
  await anna.opens('Dropline');
  await anna.sees(`${finishedText}. Leftover uploads couldn't be removed from the account.`);
});

test('an uninstall during a disconnect also deletes the audit', async () => {
  const { anna, acme, services, exchange, untilIdle, rowsContaining } = await setUpDisconnect(postgres);
  const delay = exchange.addFault({ operation: 'get_files', kind: 'delay' });
  await disconnectWorkspace(services, { workspace: acme.id, person: anna.id });
  await delay.triggered;
  acme.uninstall();
  await expect.poll(() => services.store.installations.get(acme.id)).toBeUndefined();
  await delay.release();
  await untilIdle();
  expect(await services.store.audit.list(acme.id)).toEqual([]);
  expect(await rowsContaining(acme.id)).toEqual([]);
});
