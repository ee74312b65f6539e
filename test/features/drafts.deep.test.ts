import { expect, test } from 'vitest';
import { clearAccountRecipients, readUploaded, removeUploaded } from '../../src/features/files/operations.ts';
import { accountQueue } from '../../src/jobs/index.ts';
import { failureOf, fileOf } from '../helpers/exchange.ts';
import { admin, anna, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('members can list unsent uploads; admins can delete them while no one sends', async () => {
  const { services, account, server, store } = await setUpFeatures(postgres);
  const exchange = services.connectTo({ baseUrl: server.url, username: account.user, apiKey: account.apiKey });
  await exchange.upload(fileOf('left.txt', 'x'));
  await exchange.setReceivers((await exchange.readContacts()).local);
  expect(await readUploaded(services, anna)).toMatchObject({ listed: [{ name: 'left.txt' }], ours: [] });
  expect(await failureOf(removeUploaded(services, anna))).toMatchObject({ code: 'not-allowed' });
  await store.withLock(accountQueue('transfers', exchange.account), undefined, async () => {
    expect(await readUploaded(services, anna)).toMatchObject({ listed: undefined });
    expect(await failureOf(removeUploaded(services, admin))).toMatchObject({ code: 'held' });
  });
  expect(await removeUploaded(services, admin)).toEqual(['left.txt']);
  await clearAccountRecipients(services, admin);
  expect(account).toMatchObject({ uploads: [], receivers: [] });
});
