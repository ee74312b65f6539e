import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { reencrypt } from '../../src/store/encrypted-columns.ts';
import { createCipher } from '../../src/store/encryption.ts';
import { inTransaction } from '../../src/store/pool.ts';
import { purgeWorkspace } from '../../src/store/purge.ts';
import { sweep } from '../../src/store/retention.ts';
import { shareJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();
type Pool = Awaited<ReturnType<typeof setUpStore>>['store']['pool'];

/** Adds a row to every table that `count` reads. Rows with a retention rule have this age. */
async function addRows(pool: Pool, workspace: string, age = '0 days', account = 'a'): Promise<void> {
  const ago = `now() - interval '${age}'`;
  await pool.query(
    `insert into dropline.audit (id, at, workspace, person, action, outcome, reference, details_encrypted)
     values ($1, ${ago}, $2, 'U1', 'send', 'sent', 'r', '')`,
    [randomUUID(), workspace],
  );
  await pool.query(
    `insert into dropline.transfers (id, workspace, account, person, kind, state, content_encrypted, expires_after,
       created_at, ended_at)
     values ($1, $2, $3, 'U1', 'send', 'sent', '', 7, now() - interval '100 days', ${ago})`,
    [randomUUID(), workspace, account],
  );
  await pool.query(
    `insert into dropline.inbox_items (workspace, account, url, digest, gone_at) values ($1, $3, $2, '', ${ago})`,
    [workspace, randomUUID(), account],
  );
  await pool.query(
    `insert into dropline.uploads (id, workspace, account, name_encrypted, created_at) values ($1, $2, $3, '', ${ago})`,
    [randomUUID(), workspace, account],
  );
  await pool.query(`insert into dropline.polls (workspace, account, next_at) values ($1, $2, now())`, [
    workspace,
    account,
  ]);
  await pool.query(
    `insert into dropline.contact_edits (id, workspace, account, person, before_encrypted, after_encrypted, created_at, reconciled_at)
     values ($1, $2, $3, 'U1', '', '', now() - interval '100 days', ${ago})`,
    [randomUUID(), workspace, account],
  );
}

async function count(pool: Pool, workspace: string): Promise<number[]> {
  const tables = ['audit', 'transfers', 'uploads', 'inbox_items', 'contact_edits', 'polls'];
  return Promise.all(
    tables.map(async (table) => {
      const { rows } = await pool.query(`select count(*)::int as n from dropline.${table} where workspace = $1`, [
        workspace,
      ]);
      return rows[0].n;
    }),
  );
}

test('purging a workspace deletes its rows from every table, and no other rows', async () => {
  const { store } = await shareJobs(postgres);
  await addRows(store.pool, 'T1');
  await addRows(store.pool, 'T12');
  await store.purgeWorkspace('T1');
  expect(await count(store.pool, 'T1')).toEqual([0, 0, 0, 0, 0, 0]);
  expect(await count(store.pool, 'T12')).toEqual([1, 1, 1, 1, 1, 1]);
});

test.each([
  ['29 days', { transfer_content: 0, transfers: 0, inbox_items: 0, contact_edits: 0 }],
  ['31 days', { transfer_content: 1, transfers: 0, inbox_items: 0, contact_edits: 1 }],
  ['91 days', { transfer_content: 1, transfers: 0, inbox_items: 1, contact_edits: 1 }],
  ['401 days', { transfer_content: 1, transfers: 1, inbox_items: 1, contact_edits: 1 }],
])('rows that ended %s ago are swept only if their retention period is over', async (age, swept) => {
  const { store } = await shareJobs(postgres);
  await addRows(store.pool, 'T1', age);
  expect(await store.sweep()).toMatchObject(swept);
});

test('contact edits lose texts after a day and changes after a week; their lists stay', async () => {
  const { store } = await shareJobs(postgres);
  for (const [age, before] of [
    ['23 hours', null],
    ['2 days', 'list'],
    ['8 days', 'list'],
    ['8 days', null],
  ]) {
    await store.pool.query(
      `insert into dropline.contact_edits
         (id, workspace, account, person, created_at, before_encrypted, change_encrypted, origin_encrypted, report_encrypted)
       values ($1, 'T1', 'a', 'U1', now() - $2::interval, $3, 'change', 'origin', 'report')`,
      [randomUUID(), age, before],
    );
  }
  expect(await store.sweep()).toMatchObject({ contact_requests: 1, contact_changes: 1, contact_texts: 2 });
  const { rows } = await store.pool.query({
    text: `select before_encrypted, change_encrypted, origin_encrypted, report_encrypted from dropline.contact_edits
           order by created_at desc`,
    rowMode: 'array',
  });
  expect(rows).toEqual([
    [null, 'change', 'origin', 'report'],
    ['list', 'change', null, null],
    ['list', null, null, null],
  ]);
});

async function addAudit(pool: Pool, workspace: string, rows: number, age = '401 days'): Promise<void> {
  await pool.query(
    `insert into dropline.audit (id, at, workspace, person, action, outcome, reference, details_encrypted)
     select gen_random_uuid(), now() - $1::interval, $2, 'U1', 'send', 'sent', 'r', '' from generate_series(1, $3::int)`,
    [age, workspace, rows],
  );
}

test('a sweep deletes a limited number of batches, and the next one continues', async () => {
  const { store } = await shareJobs(postgres);
  for (let row = 0; row < 5; row += 1) await addRows(store.pool, 'T1', '401 days', `a${row}`);
  expect(await sweep(store.pool, { rows: 2, maxStatements: 2 })).toMatchObject({ transfers: 4 });
  expect(await sweep(store.pool, { rows: 2, maxStatements: 2 })).toMatchObject({ transfers: 1 });
});

test("a failed retention rule doesn't stop the other rules", async () => {
  const { store } = await setUpStore(postgres);
  await addRows(store.pool, 'T1', '401 days');
  await store.pool.query('alter table dropline.keyv rename column expires_at to expiry');
  await expect(store.sweep()).rejects.toMatchObject({ errors: [{ message: expect.stringContaining('"expires_at"') }] });
  expect(await count(store.pool, 'T1')).toEqual([1, 0, 1, 0, 0, 1]);
});

test('a row that is renewed during a sweep is kept', async () => {
  const { store } = await shareJobs(postgres);
  const renew = `update dropline.keyv set expires_at = now() + interval '1 hour' where key = 'note:A'`;
  await store.pool.query(`insert into dropline.keyv (key, value, expires_at) values ('note:A', '', now())`);
  await inTransaction(store.pool, async (client) => {
    await client.query(renew);
    expect(await store.sweep()).toMatchObject({ keyv: 0 });
  });
  expect(await store.sweep()).toMatchObject({ keyv: 0 });
});

test('a workspace is purged in batches', async () => {
  const { store } = await setUpStore(postgres);
  await addAudit(store.pool, 'T1', 5);
  await addAudit(store.pool, 'T2', 5);
  await store.pool.query(`
    create function refuse_many() returns trigger language plpgsql as $$
      begin if (select count(*) from gone) > 2 then raise 'too many at once'; end if; return null; end $$;
    create trigger refuse_many after delete on dropline.audit referencing old table as gone
      for each statement execute function refuse_many()`);
  await purgeWorkspace(store.pool, 'T1', [], { rows: 2, maxStatements: 10 });
  expect((await count(store.pool, 'T1'))[0]).toBe(0);
  expect((await count(store.pool, 'T2'))[0]).toBe(5);
});

test('the sweep never deletes unfinished rows', async () => {
  const { store } = await shareJobs(postgres);
  await addRows(store.pool, 'T1', '99 days');
  await store.pool.query('update dropline.transfers set ended_at = null');
  await store.pool.query('update dropline.contact_edits set reconciled_at = null');
  await store.pool.query('update dropline.inbox_items set gone_at = null');
  expect(await store.sweep()).toMatchObject({ transfer_content: 0, transfers: 0, inbox_items: 0, contact_edits: 0 });
});

test('rows of a former account expire too, unless another workspace still needs them', async () => {
  const { store } = await shareJobs(postgres);
  await addRows(store.pool, 'T1', '99 days', 'current');
  for (const account of ['former', 'shared']) await addRows(store.pool, 'T1', '99 days', account);
  await addRows(store.pool, 'T2', '99 days', 'shared');
  await store.pool.query(`delete from dropline.polls where workspace = 'T1' and account <> 'current'`);
  await store.pool.query('update dropline.contact_edits set reconciled_at = null');
  await store.pool.query('update dropline.inbox_items set gone_at = null');
  // The items count as gone from now on: a reconnect within 90 days finds them.
  expect(await store.sweep()).toMatchObject({ former_items: 2, inbox_items: 0, former_edits: 1, former_uploads: 1 });
  await store.pool.query(`update dropline.inbox_items set gone_at = gone_at - interval '91 days'`);
  expect(await store.sweep()).toMatchObject({ former_items: 0, inbox_items: 2, former_edits: 0, former_uploads: 0 });
  expect(await count(store.pool, 'T1')).toEqual([3, 3, 2, 1, 2, 1]);
  expect(await count(store.pool, 'T2')).toEqual([1, 1, 1, 1, 1, 1]);
});

test('audit entries are listed newest first, paged, filtered by person and action', async () => {
  const { store } = await shareJobs(postgres);
  for (let number = 0; number < 7; number += 1) {
    const action = number % 2 ? 'send' : 'request';
    await store.audit.record({
      workspace: 'T1',
      person: `U${number % 3}`,
      action,
      outcome: 'done',
      reference: `r${number}`,
    });
  }
  const first = await store.audit.list('T1', { limit: 4 });
  const second = await store.audit.list('T1', { limit: 4, before: first.at(-1)?.number });
  expect([...first, ...second].map(({ reference }) => reference)).toEqual(['r6', 'r5', 'r4', 'r3', 'r2', 'r1', 'r0']);
  expect((await store.audit.list('T1', { person: 'U0', action: 'send' })).map(({ reference }) => reference)).toEqual([
    'r3',
  ]);
});

test('re-encryption covers all rows, keeps concurrent edits and lists failures', async () => {
  const { store, secretKeys } = await setUpStore(postgres);
  const notes = store.collection({ kind: 'note', schema: z.string() });
  for (const owner of ['A', 'B', 'C', 'D', 'E']) await notes.set(owner, owner);
  await store.pool.query(`update dropline.keyv set value = 's1.unknown0.broken' where key = 'note:C'`);
  const cipher = createCipher([randomBytes(32), ...secretKeys]);
  const changing = {
    ...cipher,
    decrypt(context: string, encrypted: string) {
      if (context === 'keyv:note:D') void changes.push(notes.set('D', 'changed concurrently'));
      return cipher.decrypt(context, encrypted);
    },
  };
  const changes: Promise<void>[] = [];
  const { undecryptable, encrypted } = await reencrypt(store.pool, changing, 2);
  await Promise.all(changes);
  expect(undecryptable).toEqual(['keyv:note:C']);
  expect(encrypted).toBeGreaterThanOrEqual(3);
  expect(await notes.get('D')).toBe('changed concurrently');
  const { rows } = await store.pool.query(`select key from dropline.keyv where value like $1 order by key`, [
    `${cipher.encrypt('x', 'y').split('.').slice(0, 2).join('.')}.%`,
  ]);
  expect(rows.map(({ key }) => key)).toEqual(expect.arrayContaining(['note:A', 'note:B', 'note:E']));
});

test('re-encryption covers the notes of job checkpoints', async () => {
  const { store, openAnotherStore, secretKeys } = await setUpStore(postgres);
  const { encrypt } = store.columnCipher('checkpoints', 'note_encrypted');
  const encrypted = encrypt(JSON.stringify(['run 1', 'step "a"']), 'note');
  await store.pool.query('insert into dropline.checkpoints (run, step, note_encrypted) values ($1, $2, $3)', [
    'run 1',
    'step "a"',
    encrypted,
  ]);
  const rotated = await openAnotherStore({ secretKeys: [randomBytes(32), ...secretKeys] });
  expect(await rotated.reencrypt()).toEqual({ encrypted: 2, undecryptable: [] });
});
