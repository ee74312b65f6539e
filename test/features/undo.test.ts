import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pause } from '../../src/features/pause/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { approve } from '../../src/features/transfers/approval/operations.ts';
import { undoTransfer } from '../../src/features/transfers/lifecycle/operations.ts';
import { startNow } from '../../src/features/transfers/lifecycle/planned.ts';
import { resumeTransfers } from '../../src/features/transfers/queue.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import { transferApproval } from '../../src/features/transfers/transfer.ts';
import { isDroplineError } from '../../src/lib/errors.ts';
import { admin, anna, bo, type FeaturesSetup, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { createRandom } from '../helpers/seeded.ts';
import { rewriteContent } from '../helpers/transfers.ts';

const postgres = startTestPostgres();

async function setUp(longestUndoMs: number): Promise<FeaturesSetup> {
  const setup = await setUpFeatures(postgres);
  return { ...setup, services: { ...setup.services, timing: { ...setup.services.timing, longestUndoMs } } };
}

async function confirm({ services, sourceFiles }: FeaturesSetup, name = 'a.txt'): Promise<string> {
  const files = [sourceFiles.put(`F-${name}`, name, name)];
  const draft = { recipients: ['carl@example.org'], groups: [], files, message: '', expiresAfter: 1 };
  const { reviewId } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, reviewId);
  return reviewId;
}

async function waitOf({ services }: FeaturesSetup, id: string): Promise<number | undefined> {
  const { createdAt, startsAt } = (await transfersIn(services.store).read(id)) ?? {};
  return startsAt && createdAt && startsAt.getTime() - createdAt.getTime();
}

test('the setting says how long to wait, a new recipient adds 50 s, and 0 turns it off', async () => {
  const setup = await setUp(350_000);
  const first = await confirm(setup, 'first.txt');
  expect(await waitOf(setup, first)).toBe(60_000);
  await setup.startWorker({ services: setup.services });
  await startNow(setup.services, anna, first);
  await setup.untilEnded(first);
  const second = await confirm(setup, 'second.txt');
  expect(await waitOf(setup, second)).toBe(10_000);
  await undoTransfer(setup.services, anna, second);
  await changeSettings(setup.services, admin, { undoSeconds: 0 });
  const third = await confirm(setup, 'third.txt');
  expect(await waitOf(setup, third)).toBeUndefined();
  await setup.untilEnded(third);
  expect(setup.account.drops).toHaveLength(2);
});

test('neither a restart, a pause nor a resume starts a transfer before its time', async () => {
  const setup = await setUp(1_500);
  const id = await confirm(setup);
  const { startsAt } = (await transfersIn(setup.services.store).read(id)) ?? {};
  await pause(setup.services, admin, 'sending', 'Checking something');
  await setup.startWorker({ services: setup.services });
  await resumeTransfers(setup.services, admin, 'sending');
  const { committedAt } = await setup.untilEnded(id);
  expect(committedAt?.getTime()).toBeGreaterThanOrEqual(startsAt?.getTime() ?? Number.NaN);
});

test('a pause keeps a transfer whose time has come, and a resume sends it', async () => {
  const setup = await setUp(300);
  const id = await confirm(setup);
  await pause(setup.services, admin, 'sending', 'Checking something');
  await setup.startWorker({ services: setup.services });
  await until(() => setup.notifications.paused.includes(id) || undefined, 'the transfer to wait');
  expect(setup.account.drops).toEqual([]);
  await resumeTransfers(setup.services, admin, 'sending');
  expect((await setup.untilEnded(id)).state).toBe('sent');
});

test('an undo at the last moment either sends nothing or comes too late, never both', async () => {
  const setup = await setUp(150);
  await setup.startWorker({ services: setup.services });
  const { below } = createRandom(51);
  const undone: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    const id = await confirm(setup, `round ${round}.txt`);
    const wait = (await waitOf(setup, id)) ?? 0;
    await sleep(wait - 40 + below(80));
    const isUndone = await undoTransfer(setup.services, anna, id).then(
      () => true,
      (error: unknown) => {
        if (!isDroplineError(error, 'too-late')) throw error;
        return false;
      },
    );
    const { state } = await setup.untilEnded(id);
    expect(state).toBe(isUndone ? 'cancelled' : 'sent');
    if (isUndone) undone.push(`round ${round}.txt`);
  }
  const sent = setup.account.drops.flatMap(({ files }) => files.map(({ name }) => name));
  expect(sent).toHaveLength(12 - undone.length);
  expect(sent.filter((name) => undone.includes(name))).toEqual([]);
});

test('nobody else can undo or start a transfer, and a second undo changes nothing', async () => {
  const setup = await setUp(350_000);
  const id = await confirm(setup);
  await expect(undoTransfer(setup.services, bo, id)).rejects.toThrow('Transfer not found.');
  await expect(startNow(setup.services, admin, id)).rejects.toThrow('Transfer not found.');
  await undoTransfer(setup.services, anna, id);
  await expect(undoTransfer(setup.services, anna, id)).rejects.toThrow('Too late to undo');
  await startNow(setup.services, anna, id);
  await setup.startWorker({ services: setup.services });
  expect((await setup.untilEnded(id)).state).toBe('cancelled');
  expect(setup.account.drops).toEqual([]);
});

test('an approved transfer starts at once', async () => {
  const setup = await setUp(350_000);
  await changeSettings(setup.services, admin, { approvalRules: ['every'], approvers: [bo.person] });
  const id = await confirm(setup);
  await setup.startWorker({ services: setup.services });
  await approve(setup.services, bo, id);
  expect((await setup.untilEnded(id)).state).toBe('sent');
});

test('an approval of a planned time holds for that time, any other for the usual days', async () => {
  const setup = await setUp(0);
  const { store, services } = setup;
  await changeSettings(services, admin, { approvalRules: ['every'], approvers: [bo.person] });
  const [planned, unplanned] = [await confirm(setup, 'planned.txt'), await confirm(setup, 'unplanned.txt')];
  const { encrypt, decrypt } = store.columnCipher('transfers', 'approval_encrypted');
  for (const id of [planned, unplanned]) {
    await approve(services, bo, id);
    const { rows } = await store.pool.query('select approval_encrypted from dropline.transfers where id = $1', [id]);
    const stored = transferApproval.parse(decrypt(id, rows[0].approval_encrypted));
    const decision = { is: 'approved', by: bo.person, at: Date.now() - 20 * 86_400_000 };
    await store.pool.query('update dropline.transfers set approval_encrypted = $2 where id = $1', [
      id,
      encrypt(id, { ...stored, decision }),
    ]);
  }
  await rewriteContent(store, planned, { plannedFor: Date.now() / 1000 - 60 });
  await setup.startWorker({ services });
  expect((await setup.untilEnded(planned)).state).toBe('sent');
  await until(
    async () => ((await transfersIn(store).read(unplanned))?.state === 'approval' ? true : undefined),
    'the other to be asked for again',
  );
  expect(setup.account.drops).toHaveLength(1);
});

test('an admin is told if the sender of a planned transfer has left before its time', async () => {
  const setup = await setUp(300);
  const id = await confirm(setup);
  await rewriteContent(setup.store, id, { plannedFor: Date.now() / 1000 });
  setup.roles.set(anna.person, 'none');
  await setup.startWorker({ services: setup.services });
  expect((await setup.untilEnded(id)).state).toBe('failed');
  const emails = ['carl@example.org'];
  expect(setup.notifications.alarms).toEqual([{ kind: 'sender-gone', person: anna.person, noun: 'transfer', emails }]);
  expect(setup.account.drops).toEqual([]);
});
