import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { changeContacts } from '../../../src/features/contacts/operations.ts';
import { adding, done, setUpContacts } from '../../helpers/contacts.ts';
import { anna, bo } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a list that was sent again is answered: one that comes late says the same', async () => {
  const { server, change, work, emails } = await setUpContacts(postgres);
  await work();
  const late = server.addFault({ operation: 'contacts_add', kind: 'process-later' });
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  await late.release();
  expect(emails()).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com', 'new@example.org']);
  expect(await change(bo, adding('next@example.org'))).toEqual(done({ added: 1 }));
  expect(emails()).toHaveLength(5);
});

test('lists that are all carried out late are not told as "nothing was changed": the next attempt finds them', async () => {
  const { services, server, told, work, heard, writes, emails } = await setUpContacts(postgres);
  await work();
  const late = server.addFault({ operation: 'contacts_add', kind: 'process-later', times: 3 });
  const asked = await changeContacts(services, anna, adding('new@example.org'));
  await expect.poll(() => writes().length).toBe(3);
  await late.release();
  expect(await told(asked)).toEqual(done({ added: 1 }));
  expect(heard.edits).toHaveLength(1);
  expect(emails().filter((email) => email === 'new@example.org')).toHaveLength(1);
  expect(writes()).toHaveLength(3);
});

test('a list that is carried out late does not undo what the next person does', async () => {
  const { services, server, told, work, writes, emails } = await setUpContacts(postgres);
  await work({ services: { ...services, timing: { ...services.timing, settlePauseMs: 2_000 } } });
  const late = server.addFault({ operation: 'contacts_add', kind: 'process-later', times: 3 });
  const first = await changeContacts(services, anna, adding('first@example.org'));
  await expect.poll(() => writes().length).toBe(3);
  const second = await changeContacts(services, bo, adding('second@example.org'));
  await sleep(500);
  await late.release();
  expect([await told(first), await told(second)]).toEqual([done({ added: 1 }), done({ added: 1 })]);
  expect(emails().slice(-2)).toEqual(['first@example.org', 'second@example.org']);
});

test('a list that was on its way when its worker stopped does not undo what the next person does', async () => {
  const { services, server, store, told, work, another, otherServices, emails } = await setUpContacts(postgres);
  const dying = await work();
  const late = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  const first = await changeContacts(services, anna, adding('first@example.org'));
  await late.struck;
  await dying.stop(0);
  // The next person's edit comes first, and settles this one.
  await store.pool.query(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where key = $1`, [
    `contacts-edit ${first}`,
  ]);
  const second = await changeContacts(services, bo, adding('second@example.org'));
  const next = await another();
  const nextServices = otherServices(next);
  const reads = () => server.calls.filter(({ operation }) => operation === 'contacts_read').length;
  const before = reads();
  await work({ store: next, services: { ...nextServices, timing: { ...nextServices.timing, settlePauseMs: 2_000 } } });
  await expect.poll(reads).toBeGreaterThan(before);
  await sleep(500);
  await late.release();
  expect(await told(second)).toEqual(done({ added: 1 }));
  expect(await told(first)).toEqual(done({ added: 1 }));
  expect(emails().slice(-2)).toEqual(['first@example.org', 'second@example.org']);
});

test('a list that is refused when it is sent again is not told as refused where the first one is carried out', async () => {
  const { services, server, told, work, writes, emails } = await setUpContacts(postgres);
  await work({ services: { ...services, timing: { ...services.timing, settlePauseMs: 2_000 } } });
  const late = server.addFault({ operation: 'contacts_add', kind: 'process-later' });
  const asked = await changeContacts(services, anna, adding('new@example.org'));
  await late.struck;
  // With a fresh token, too.
  server.addFault({ operation: 'contacts_add', kind: 'answer', times: 2, answer: { body: '<html>Welcome</html>' } });
  await expect.poll(() => writes().length).toBe(3);
  await late.release();
  expect(await told(asked)).toEqual(done({ added: 1 }));
  expect(emails().filter((email) => email === 'new@example.org')).toHaveLength(1);
});
