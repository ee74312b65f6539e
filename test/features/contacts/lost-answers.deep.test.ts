import { expect, test } from 'vitest';
import type { Actor } from '../../../src/features/common/services.ts';
import type { Change } from '../../../src/features/contacts/edit/diff.ts';
import { editKind } from '../../../src/features/contacts/edit/jobs.ts';
import { changeContacts } from '../../../src/features/contacts/edit/operations.ts';
import { editsIn } from '../../../src/features/contacts/edit/repository.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import type { TransferServices } from '../../../src/features/transfers/kind.ts';
import type { FaultRequest } from '../../../src/sandbox/exchange/index.ts';
import {
  adding,
  type ContactsSetup,
  changingNick,
  done,
  removing,
  runJobsNow,
  setUpContacts,
  withShortTimeouts,
} from '../../helpers/contacts.ts';
import { admin, anna, bo, until } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();
const wrongPage = { body: '<html>Welcome</html>' };

const faults: Omit<FaultRequest, 'operation'>[] = [
  { kind: 'reset-before' },
  { kind: 'reset-before', times: 2 },
  { kind: 'reset-during' },
  { kind: 'reset-after' },
  { kind: 'hang' },
  { kind: 'hang-after' },
  { kind: 'answer', answer: wrongPage },
  { kind: 'answer', times: 2, answer: { status: 504, body: 'Gateway Timeout' } },
  { kind: 'wrong-token' },
];

test('an edit is applied once, even if its write or the answer is lost', async () => {
  const { account, services, server, change, startWorker, notifications, writes } = await setUpContacts(postgres);
  await startWorker({ services: withShortTimeouts(services) });
  const [carl, dora, emil] = structuredClone(account.contacts.local);
  for (const [index, fault] of faults.entries()) {
    const before = writes().length;
    server.addFault({ operation: 'contacts_add', ...fault });
    const outcome = await change(anna, changingNick('carl@example.org', `Carl ${index}`));
    expect({ fault, outcome }).toEqual({ fault, outcome: done({ updated: 1 }) });
    expect(account.contacts.local).toEqual([{ ...carl, nick: `Carl ${index}` }, dora, emil]);
    const processedWrites = writes()
      .slice(before)
      .filter(({ processed }) => processed);
    expect(processedWrites).toHaveLength(1);
  }
  expect(notifications.edits).toHaveLength(faults.length);
  expect(notifications.alarms).toEqual([]);
});

test.each<[string, Omit<FaultRequest, 'operation'>, string]>([
  ['gets an unrelated page twice', { kind: 'answer', times: 2, answer: wrongPage }, 'only-adds'],
  ['is refused for its token twice', { kind: 'wrong-token', times: 2 }, 'token-refused'],
])('if the write of an edit %s, the edit fails and changes no contact', async (_, fault, code) => {
  const { account, server, change, startWorker, store } = await setUpContacts(postgres);
  await startWorker();
  const before = structuredClone(account.contacts.local);
  server.addFault({ operation: 'contacts_add', ...fault });
  expect(await change(anna, adding('new@example.org'))).toMatchObject({ state: 'failed', code });
  expect(account.contacts.local).toEqual(before);
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  const outcomes = (await store.audit.list('T1', { action: 'contacts add' })).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['done', code]);
});

test("an edit fails immediately and writes nothing if contacts can't be read", async () => {
  const { server, change, startWorker, writes } = await setUpContacts(postgres);
  await startWorker();
  server.addFault({ operation: 'contacts_read', kind: 'reset-before' });
  expect(await change(anna, adding('new@example.org'))).toMatchObject({ code: 'cut-short' });
  expect(writes()).toEqual([]);
});

test('an unverified edit is verified by a retry, even if its author lost permission', async () => {
  const { services, server, awaitOutcome, startWorker, writes, store, notifications, emails } =
    await setUpContacts(postgres);
  const edit = await changeContacts(services, anna, adding('new@example.org'));
  const delayedWrite = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  await startWorker();
  await delayedWrite.triggered;
  server.addFault({ operation: 'contacts_read', kind: 'reset-before' });
  await changeSettings(services, admin, { contactEditors: 'admins' });
  await delayedWrite.release();
  expect(await awaitOutcome(edit)).toEqual(done({ added: 1 }));
  expect(writes()).toHaveLength(1);
  expect(emails()).toContain('new@example.org');
  expect(notifications.edits).toHaveLength(1);
  expect((await editsIn(store).readSent('T1', edit))?.outcome).toBe('done');
});

/** Applies an edit whose outcome can't be read, so that it waits for another attempt. */
async function leaveUnverified(
  { services, server, store }: ContactsSetup,
  actor: Actor,
  change: Change,
): Promise<string> {
  const delayed = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  const edit = await changeContacts(services, actor, change);
  await delayed.triggered;
  server.addFault({ operation: 'contacts_read', kind: 'reset-before' });
  await delayed.release();
  await until(async () => {
    const { rows } = await store.pool.query(
      'select from graphile_worker._private_jobs where key = $1 and run_at > now() and locked_by is null',
      [`contacts-edit ${edit}`],
    );
    return rows[0];
  }, 'the attempt to fail');
  // Postpone the next attempt until the test starts it, so that it doesn't interfere with other steps.
  await store.pool.query(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where key = $1`, [
    `contacts-edit ${edit}`,
  ]);
  return edit;
}

test('the next edit reconciles an unfinished one, and each author sees their outcome', async () => {
  const setup = await setUpContacts(postgres);
  const { services, store, awaitOutcome, startWorker, notifications, emails } = setup;
  await startWorker();
  const first = await leaveUnverified(setup, anna, adding('first@example.org'));
  expect(notifications.edits).toEqual([]);
  const second = await changeContacts(services, bo, adding('second@example.org'));
  await until(() => notifications.edits.find(({ id }) => id === second), 'the second edit');
  expect((await editsIn(store).readSent('T1', first))?.outcome).toBe('done');
  expect(await awaitOutcome(first)).toEqual(done({ added: 1 }));
  expect(notifications.edits.map(({ id }) => id)).toEqual([second, first]);
  expect(emails().slice(-2)).toEqual(['first@example.org', 'second@example.org']);
});

test('an edit that an unverified edit has reconciled is reported as done', async () => {
  const setup = await setUpContacts(postgres);
  const { server, awaitOutcome, startWorker, emails } = setup;
  await startWorker();
  const first = await leaveUnverified(setup, anna, adding('first@example.org'));
  const second = await leaveUnverified(setup, bo, adding('second@example.org'));
  server.addFault({ operation: 'contacts_read', kind: 'reset-before' });
  expect(await awaitOutcome(first)).toEqual(done({ added: 1 }));
  expect(await awaitOutcome(second)).toEqual(done({ added: 1 }));
  expect(emails()).toHaveLength(5);
});

test("an edit that can't be verified is reported as unknown and reconciled later", async () => {
  const { services, server, store, awaitOutcome, startWorker, queue, emails } = await setUpContacts(postgres);
  const delayedWrite = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  const edit = await changeContacts(services, anna, removing('carl@example.org'));
  await startWorker();
  await delayedWrite.triggered;
  const failingReads = server.addFault({ operation: 'contacts_read', kind: 'reset-before', times: 1_000 });
  await delayedWrite.release();
  expect(await awaitOutcome(edit)).toMatchObject({ state: 'failed', code: 'unknown' });
  const isOpen = async () => (await editsIn(store).readSent('T1', edit))?.outcome === undefined;
  await runJobsNow(services);
  const failedReads = () => server.calls.filter(({ outcome }) => outcome === 'reset').length;
  const before = failedReads();
  await until(async () => {
    await runJobsNow(services);
    return failedReads() > before + 1 || undefined;
  }, 'two more attempts to reconcile');
  expect(await isOpen()).toBe(true);
  failingReads.remove();
  await until(async () => {
    await runJobsNow(services);
    return (await queue.size()) === 0 || undefined;
  }, 'the edit to be reconciled');
  expect(await isOpen()).toBe(false);
  expect(emails()).toEqual(['dora@example.net', 'emil@example.com']);
});

test('an edit that never gets an answer is reported as unknown, not as “not done”', async () => {
  const { account, server, change, startWorker } = await setUpContacts(postgres);
  await startWorker();
  const before = structuredClone(account.contacts.local);
  const failingWrites = server.addFault({ operation: 'contacts_add', kind: 'reset-before', times: 1_000 });
  const outcome = await change(anna, adding('new@example.org'));
  expect(outcome).toMatchObject({ state: 'failed', code: 'unknown' });
  expect(outcome).toHaveProperty('message', expect.stringContaining("It's not clear yet whether this was saved."));
  failingWrites.remove();
  expect(account.contacts.local).toEqual(before);
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
});

test('an edit is reported as done even if all earlier notifications failed', async () => {
  const { services, change, startWorker, notifications, writes } = await setUpContacts(postgres);
  let notifyAttempts = 0;
  const notifier: TransferServices['notifier'] = {
    ...services.notifier,
    async contactsEdited(edit, outcome) {
      notifyAttempts += 1;
      if (notifyAttempts <= editKind.attempts) throw new Error('Slack is unavailable');
      await services.notifier.contactsEdited(edit, outcome);
    },
  };
  await startWorker({ services: { ...services, notifier } });
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  expect({ notifyAttempts, reported: notifications.edits.length, written: writes().length }).toEqual({
    notifyAttempts: 6,
    reported: 1,
    written: 1,
  });
});

test('another worker finishes the edit of a stopped worker, once', async () => {
  const { services, server, awaitOutcome, startWorker, openAnotherStore, otherServices, writes, emails } =
    await setUpContacts(postgres);
  const firstWorker = await startWorker();
  const delayedWrite = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  const edit = await changeContacts(services, anna, adding('new@example.org'));
  await delayedWrite.triggered;
  await firstWorker.stop(0);
  await delayedWrite.release();
  const store = await openAnotherStore();
  await startWorker({ store, services: otherServices(store) });
  expect(await awaitOutcome(edit)).toEqual(done({ added: 1 }));
  expect(emails().filter((email) => email === 'new@example.org')).toHaveLength(1);
  expect(writes()).toHaveLength(1);
});
