import { expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { disconnect } from '../../src/features/account/leave/operations.ts';
import { sweepAudit } from '../../src/features/audit/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { createInstallations } from '../../src/slack/installations.ts';
import { apiKey, failureOf, user } from '../helpers/exchange.ts';
import { admin, type FeaturesSetup, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();
const bo = { workspace: 'T1', person: 'U-bo' };
type StoredInstallation = Parameters<ReturnType<typeof createInstallations>['add']>[0];

/** Installed by U-installer, connected by U-admin, with the additional admin Bo and a limit of domains. */
async function setUpNotices() {
  const setup = await setUpFeatures(postgres);
  const { services, store, startWorker, untilDrained, notifications } = setup;
  await install(setup, 'U-installer');
  await changeSettings(services, admin, { admins: [bo.person], recipientDomains: ['example.org'] });
  await startWorker();
  await untilDrained();
  notifications.admins.length = 0;
  return {
    ...setup,
    domains: () => readSettings({ store }, { workspace: 'T1' }).then((settings) => settings.recipientDomains),
  };
}

async function install({ store }: FeaturesSetup, person: string): Promise<void> {
  const installation = { team: { id: 'T1' }, user: { id: person }, bot: { token: `xoxb-${person}` } };
  await createInstallations(store).add(installation as unknown as StoredInstallation);
}

const weakening = { recipientDomains: [] };
const change = 'allowed recipients in any domain';

test('those who set Dropline up and other admins, 20 at most, get one notice each', async () => {
  const { services, notifications, untilDrained, store } = await setUpNotices();
  const others = Array.from({ length: 30 }, (_, index) => `U-${index}`);
  await changeSettings(services, admin, { admins: [...others, bo.person, 'U-admin', 'U-installer'] });
  await untilDrained();
  notifications.admins.length = 0;
  await changeSettings(services, bo, { ...weakening, message: 'Hello' });
  await untilDrained();
  expect(notifications.admins.map(({ person }) => person)).toEqual(['U-admin', 'U-installer', ...others.slice(0, 18)]);
  expect(notifications.admins[2]).toMatchObject({ by: bo.person, changes: [[change]] });
  await changeSettings(services, bo, { recipientDomains: ['example.org'] });
  await untilDrained();
  expect(notifications.admins).toHaveLength(20);
  expect((await store.pool.query(`select from dropline.keyv where key like 'admin-notice:%'`)).rows).toEqual([]);
});

test('a weaker setting is saved together with its notice, or not at all', async () => {
  const { services, notifications, untilDrained, domains } = await setUpNotices();
  const queue = {
    ...services.queue,
    add: async () => {
      throw new Error('the process was killed');
    },
  };
  await failureOf(changeSettings({ ...services, queue }, bo, weakening));
  expect(await domains()).toEqual(['example.org']);
  await changeSettings(services, bo, weakening);
  await untilDrained();
  expect(await domains()).toEqual([]);
  expect(notifications.admins.map(({ changes }) => changes)).toEqual([[[change]], [[change]]]);
});

test('a disconnect is saved together with its notice, and the notice outlives the data', async () => {
  const { services, notifications, untilDrained, startWorker, store, roles } = await setUpNotices();
  roles.set(bo.person, 'admin');
  const { adminNotice } = services.notifier;
  let isSlackDown = true;
  services.notifier.adminNotice = async (person, notice) => {
    if (isSlackDown) throw new Error('Slack is down');
    await adminNotice(person, notice);
  };
  const noJobs = { ...services.queue, add: () => Promise.reject(new Error('the process was killed')) };
  await failureOf(disconnect({ ...services, queue: noJobs }, bo));
  expect(await store.credentials.get({ workspace: 'T1' })).not.toHaveProperty('leavingSince');
  await disconnect(services, bo);
  await startWorker();
  await expect.poll(() => store.credentials.get({ workspace: 'T1' })).toBeUndefined();
  await expect.poll(() => notifications.disconnected.length).toBe(1);
  isSlackDown = false;
  await store.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
  await untilDrained();
  expect(notifications.admins).toMatchObject([
    { person: 'U-admin', by: bo.person, changes: [[`disconnected this workspace from the account ${user}`]] },
    { person: 'U-installer' },
  ]);
});

test('those who installed or connected before someone else did so are still notified', async () => {
  const setup = await setUpNotices();
  const { services, notifications, untilDrained, server } = setup;
  await connect(services, bo, { baseUrl: server.url, username: user, apiKey });
  await install(setup, bo.person);
  await untilDrained();
  expect(notifications.admins).toEqual([]);
  await changeSettings(services, bo, weakening);
  await untilDrained();
  expect(notifications.admins.map(({ person }) => person)).toEqual(['U-admin', 'U-installer']);
});

test('connecting another account or channel is announced to the admins before', async () => {
  const { services, notifications, untilDrained, server } = await setUpNotices();
  server.addAccount({ user: 'other@example.com', apiKey });
  await connect(services, bo, { baseUrl: server.url, username: 'other@example.com', apiKey, inboxChannel: 'C1' });
  await untilDrained();
  const changes = [
    [`connected another account: other@example.com at ${server.url}`],
    ['chose ', { channel: 'C1' }, ' for new files'],
  ];
  expect(notifications.admins).toMatchObject([
    { person: 'U-admin', by: bo.person, changes },
    { person: 'U-installer', by: bo.person, changes },
  ]);
});

test('a shorter retention of the audit is told at once and deletes after a day', async () => {
  const { services, store, notifications, untilDrained } = await setUpNotices();
  const old = { ...bo, action: 'pause', outcome: 'done', reference: 'old' } as const;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 40 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  await store.audit.record(old);
  vi.useRealTimers();
  await store.pool.query("delete from dropline.audit where reference <> 'old'");
  await store.chains.extend();
  expect((await failureOf(changeSettings(services, bo, { auditDays: 29 }))).message).toContain('from 30 to 3650');
  await changeSettings(services, bo, { auditDays: 30 });
  await untilDrained();
  const change = 'shortened how long the audit log is kept to 30 days';
  expect(notifications.admins.map(({ person, changes }) => [person, changes])).toEqual([
    ['U-admin', [[change]]],
    ['U-installer', [[change]]],
  ]);
  expect(await sweepAudit(services)).toBe(0);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 });
  expect(await sweepAudit(services)).toBe(1);
  expect((await store.audit.list('T1')).map(({ action }) => action)).toEqual(['settings', 'settings']);
});

test('a disconnect does not shorten the retention of the audit', async () => {
  const { services, store, untilDrained } = await setUpNotices();
  await store.chains.extend();
  await changeSettings(services, admin, { auditDays: 3_650 });
  await sweepAudit(services);
  await disconnect(services, admin);
  await untilDrained();
  expect(await readSettings(services, { workspace: 'T1' })).toMatchObject({ auditDays: 400 });
  await sweepAudit(services);
  expect(await store.chains.daysKept('T1')).toBe(3_650);
});
