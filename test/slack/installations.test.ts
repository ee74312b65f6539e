import type { Installation } from '@slack/bolt';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createInstallations } from '../../src/slack/installations.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();

const installationWith = (token: string): Installation => ({
  team: { id: 'T1', name: 'Acme' },
  enterprise: undefined,
  user: { id: 'U1', token: undefined, scopes: undefined },
  bot: { token, scopes: [], id: 'B1', userId: 'U2' },
});

test('an installation is cached for at most ten seconds, even if the database is down', async () => {
  const { store, database, openAnotherStore } = await setUpStore(postgres);
  const installations = createInstallations(store);
  const elsewhere = createInstallations(await openAnotherStore());
  const token = async () => (await installations.botOf('T1'))?.token;
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await token()).toBeUndefined();
  await installations.add(installationWith('xoxb-1'));
  expect(await token()).toBe('xoxb-1');
  await elsewhere.add(installationWith('xoxb-2'));
  vi.setSystemTime(Date.now() + 9_000);
  expect(await token()).toBe('xoxb-1');
  vi.setSystemTime(Date.now() + 1_000);
  await database.disconnect();
  await expect(token()).rejects.toThrow();
  await database.reconnect();
  expect(await token()).toBe('xoxb-2');
});
