import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { changeContacts } from '../../../src/features/contacts/edit/operations.ts';
import { adding, done, setUpContacts } from '../../helpers/contacts.ts';
import { anna, bo } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test('if a write is processed only after its retry, the late write changes nothing', async () => {
  const { server, change, startWorker, emails } = await setUpContacts(postgres);
  await startWorker();
  const late = server.addFault({ operation: 'contacts_add', kind: 'process-later' });
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  await late.release();
  expect(emails()).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com', 'new@example.org']);
  expect(await change(bo, adding('next@example.org'))).toEqual(done({ added: 1 }));
  expect(emails()).toHaveLength(5);
});

test("if all writes of an edit are processed late, the edit's next attempt finds them", async () => {
  const { services, server, store, awaitOutcome, startWorker, notifications, writes, emails } =
    await setUpContacts(postgres);
  await startWorker();
  const late = server.addFault({ operation: 'contacts_add', kind: 'process-later', times: 3 });
  const edit = await changeContacts(services, anna, adding('new@example.org'));
  await expect.poll(() => writes().length).toBe(3);
  await late.release();
  expect(await awaitOutcome(edit)).toEqual(done({ added: 1 }));
  expect(notifications.edits).toHaveLength(1);
  expect(emails().filter((email) => email === 'new@example.org')).toHaveLength(1);
  expect(writes()).toHaveLength(3);
  const entries = await store.audit.list('T1', { action: 'contacts add' });
  expect(entries.filter(({ outcome }) => outcome === 'done')).toMatchObject([
    { person: anna.person, details: { edit, contacts: ['new@example.org'], added: 1 } },
  ]);
});

test("if the service processes a write late, the write doesn't undo the next edit", async () => {
  const { services, server, store, awaitOutcome, startWorker, writes, emails } = await setUpContacts(postgres);
  await startWorker({ services: { ...services, timing: { ...services.timing, reconcilePauseMs: 2_000 } } });
  const late = server.addFault({ operation: 'contacts_add', kind: 'process-later', times: 3 });
  const first = await changeContacts(services, anna, adding('first@example.org'));
  await expect.poll(() => writes().length).toBe(3);
  const second = await changeContacts(services, bo, adding('second@example.org'));
  await sleep(500);
  await late.release();
  expect([await awaitOutcome(first), await awaitOutcome(second)]).toEqual([done({ added: 1 }), done({ added: 1 })]);
  expect(emails().slice(-2)).toEqual(['first@example.org', 'second@example.org']);
  const entries = (await store.audit.list('T1', { action: 'contacts add' })).filter(
    ({ outcome }) => outcome === 'done',
  );
  expect(entries.map(({ person }) => person)).toEqual([bo.person, anna.person]);
});

test("if a worker stops during a write, the write doesn't undo the next edit", async () => {
  const { services, server, store, awaitOutcome, startWorker, openAnotherStore, otherServices, emails } =
    await setUpContacts(postgres);
  const firstWorker = await startWorker();
  const late = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  const first = await changeContacts(services, anna, adding('first@example.org'));
  await late.triggered;
  await firstWorker.stop(0);
  // Postpone the retry, so that the second edit runs first and reconciles this one.
  await store.pool.query(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where key = $1`, [
    `contacts-edit ${first}`,
  ]);
  const second = await changeContacts(services, bo, adding('second@example.org'));
  const next = await openAnotherStore();
  const nextServices = otherServices(next);
  const reads = () => server.calls.filter(({ operation }) => operation === 'contacts_read').length;
  const before = reads();
  await startWorker({
    store: next,
    services: { ...nextServices, timing: { ...nextServices.timing, reconcilePauseMs: 2_000 } },
  });
  await expect.poll(reads).toBeGreaterThan(before);
  await sleep(500);
  await late.release();
  expect(await awaitOutcome(second)).toEqual(done({ added: 1 }));
  expect(await awaitOutcome(first)).toEqual(done({ added: 1 }));
  expect(emails().slice(-2)).toEqual(['first@example.org', 'second@example.org']);
});

test('an edit with an applied write counts as done, even if its retry is refused', async () => {
  const { services, server, awaitOutcome, startWorker, writes, emails } = await setUpContacts(postgres);
  await startWorker({ services: { ...services, timing: { ...services.timing, reconcilePauseMs: 2_000 } } });
  const late = server.addFault({ operation: 'contacts_add', kind: 'process-later' });
  const edit = await changeContacts(services, anna, adding('new@example.org'));
  await late.triggered;
  // Twice, because the client repeats a refused call with a fresh token.
  server.addFault({ operation: 'contacts_add', kind: 'answer', times: 2, answer: { body: '<html>Welcome</html>' } });
  await expect.poll(() => writes().length).toBe(3);
  // Within the pause before the edit is checked.
  await sleep(500);
  await late.release();
  expect(await awaitOutcome(edit)).toEqual(done({ added: 1 }));
  expect(emails().filter((email) => email === 'new@example.org')).toHaveLength(1);
});
