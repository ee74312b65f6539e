import { createHash, randomBytes } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Store } from '../../src/store/index.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';
import { addEntries, createAuditLog, problemsOf, reportsOf, setUpChain } from './chain.ts';

const postgres = startTestPostgres();
const tables = ['audit', 'chains'];

/** Restores both tables as they were. */
async function backUp({ pool }: Store): Promise<() => Promise<void>> {
  const saved = await Promise.all(
    tables.map(async (table) => ({ table, rows: (await pool.query(`select * from dropline.${table}`)).rows })),
  );
  return async () => {
    for (const { table, rows } of saved) {
      await pool.query(`delete from dropline.${table}`);
      for (const row of rows)
        await pool.query(
          `insert into dropline.${table} overriding system value
           select * from json_populate_record(null::dropline.${table}, $1)`,
          [row],
        );
    }
  };
}

test('entries get consecutive numbers and hashes that contain the one before', async () => {
  const { store } = await setUpChain(postgres);
  await addEntries(store, ['r6'], 'T2');
  expect(await reportsOf(store)).toMatchObject([
    { workspace: 'T1', ends: { head: { number: 5 }, removed: { number: 0 } }, waiting: 0, problems: [] },
    { workspace: 'T2', ends: { head: { number: 0 } }, waiting: 1, problems: [] },
  ]);
  expect(await store.chains.extend()).toBe(1);
  expect(await store.chains.extend()).toBe(0);
  expect(await reportsOf(store)).toMatchObject([{}, { ends: { head: { number: 1 } }, waiting: 0, problems: [] }]);
});

const swapped = (columns: string[]) => `update dropline.audit as one set
  ${columns.map((column) => `${column} = other.${column}`).join(', ')} from dropline.audit as other
  where one.chain_number in (2, 4) and other.chain_number = 6 - one.chain_number`;
const unreadable = 'was changed or inserted, or no key in SECRET_KEY decrypts it';
const moved = 'was reordered, or its number or hash was changed';
const inserted = (number: string) =>
  `insert into dropline.audit (id, at, workspace, person, action, outcome, reference, details_encrypted, chain_number,
     chain_hash)
   select gen_random_uuid(), at, workspace, person, action, outcome, reference, details_encrypted, ${number}, chain_hash
   from dropline.audit where chain_number = 3`;

const changes: [change: string, sql: string, problems: unknown[]][] = [
  ['an edited outcome', `update dropline.audit set outcome = 'x' where chain_number = 3`, [`entry 3 ${unreadable}`]],
  [
    'an edited text',
    `update dropline.audit set details_encrypted = 'x' where chain_number = 5`,
    [`entry 5 ${unreadable}`],
  ],
  [
    'an edited order of display',
    `update dropline.audit set number = default where chain_number = 3`,
    [`entry 3 ${moved}`],
  ],
  ['a deleted entry', 'delete from dropline.audit where chain_number = 3', ['entry 3 was removed']],
  ['deleted first entries', 'delete from dropline.audit where chain_number < 3', ['entries 1 to 2 were removed']],
  ['deleted last entries', 'delete from dropline.audit where chain_number > 3', ['entries 4 to 5 were removed']],
  ['a deleted chain', 'delete from dropline.audit', ['entries 1 to 5 were removed']],
  [
    'a deletion with later entries moved up',
    `delete from dropline.audit where chain_number = 3;
     update dropline.audit set chain_number = chain_number - 1 where chain_number > 3`,
    [`entry 3 ${moved}`, `entry 4 ${moved}`, 'entry 5 was removed'],
  ],
  ['swapped numbers', swapped(['chain_number']), [2, 3, 4, 5].map((number) => `entry ${number} ${moved}`)],
  [
    'swapped numbers and hashes',
    swapped(['chain_number', 'chain_hash']),
    [2, 4].map((number) => `entry ${number} ${moved}`),
  ],
  ['an entry inserted at the end', inserted('6'), ['entry 6 was inserted: the chain ends with 5']],
  ['an entry inserted before the start', inserted('0'), ['entry 0 was inserted: retention has removed all up to 0']],
  [
    'an entry inserted in the middle',
    `update dropline.audit set chain_number = chain_number + 1 where chain_number > 3; ${inserted('4')}`,
    [
      `entry 4 ${unreadable}`,
      `entry 5 ${moved}`,
      'entry 6 was inserted: the chain ends with 5',
      "entry 5 isn't the one that the chain ended with",
    ],
  ],
  [
    'an entry inserted without a number',
    inserted('null'),
    [expect.stringMatching(/^the entry .{36}, without a number, was changed or ins/)],
  ],
  ['a removed end', 'delete from dropline.chains', ['the end of the chain was removed or changed']],
  ['a changed end', `update dropline.chains set ends_encrypted = 'x'`, ['the end of the chain was removed or changed']],
];

test('verify finds entries that were edited, deleted, inserted or swapped by SQL', async () => {
  const { store } = await setUpChain(postgres);
  // Whoever changes the tables can drop their indexes too.
  await store.pool.query('drop index dropline.audit_chain');
  const restore = await backUp(store);
  for (const [change, sql, problems] of changes) {
    await store.pool.query(sql);
    expect(await problemsOf(store), change).toEqual(problems);
    await restore();
    expect(await problemsOf(store), change).toEqual([]);
  }
});

test('a changed entry is still found after it got a number', async () => {
  const { store } = await setUpChain(postgres);
  await addEntries(store, ['r6']);
  await store.pool.query(
    `update dropline.audit set at = at - interval '2 days', person = 'U2' where chain_number is null`,
  );
  expect(await problemsOf(store)).toHaveLength(1);
  await store.chains.extend();
  expect(await problemsOf(store)).toEqual([`entry 6 ${unreadable}`]);
});

test('a chain whose end is gone is never continued', async () => {
  const { store } = await setUpChain(postgres);
  await store.pool.query('delete from dropline.chains');
  await addEntries(store, ['r6']);
  await addEntries(store, ['r1'], 'T2');
  await expect(store.chains.extend()).rejects.toMatchObject({
    errors: [{ message: expect.stringContaining('missing') }],
  });
  expect(await reportsOf(store)).toMatchObject([
    { waiting: 1, problems: ['the end of the chain was removed or changed'] },
    { ends: { head: { number: 1 } }, problems: [] },
  ]);
});

const isOther = (number: number) => `entry ${number} has another hash in the database, or was removed`;

test('only the log shows that an old backup was restored, also after new entries', async () => {
  const { store } = await setUpChain(postgres);
  const log = createAuditLog(store);
  const restore = await backUp(store);
  await addEntries(store, ['r6', 'r7']);
  await store.chains.extend();
  expect(await log.log()).toBe(7);
  expect(await log.compare()).toEqual([]);
  await restore();
  expect(await problemsOf(store)).toEqual([]);
  const isLate = (number: number) => `entry ${number} isn't in the database: the chain ends with 5`;
  expect(await log.compare()).toEqual([6, 7].map(isLate));
  await addEntries(store, ['other', 'another']);
  await store.chains.extend();
  expect(await problemsOf(store)).toEqual([]);
  expect(await log.compare()).toEqual([6, 7].map(isOther));
});

test('the log shows that all of a chain or its end was removed', async () => {
  const { store } = await setUpChain(postgres);
  const log = createAuditLog(store);
  await log.log();
  await store.chains.sweep(async () => ({ days: 0, since: 0 }), { rows: 2, maxStatements: 1 });
  expect(await log.compare()).toEqual([]);
  await store.pool.query('delete from dropline.audit where chain_number = 5');
  expect(await log.compare()).toEqual([isOther(5)]);
  await store.pool.query('delete from dropline.audit');
  await store.pool.query('delete from dropline.chains');
  expect(await problemsOf(store)).toEqual([]);
  expect(await log.compare()).toHaveLength(5);
});

test('logged entries are in order and have all that their hashes contain', async () => {
  const { store } = await setUpChain(postgres);
  const log = createAuditLog(store);
  expect(await log.log()).toBe(5);
  expect(await log.log()).toBe(0);
  await addEntries(store, ['r6']);
  await addEntries(store, ['r1'], 'T2');
  await store.chains.extend();
  expect(await log.log()).toBe(2);
  expect(log.entries.map(({ workspace, number }) => `${workspace} ${number}`)).toEqual([
    ...[1, 2, 3, 4, 5, 6].map((number) => `T1 ${number}`),
    'T2 1',
  ]);
  let previous = '';
  for (const entry of log.entries.slice(0, 6)) {
    const { number, id, at, workspace, person, action, outcome, reference, sequence, details, hash } = entry;
    const content = [previous, number, id, at, workspace, person, action, outcome, reference, sequence, details];
    expect(createHash('sha256').update(JSON.stringify(content)).digest('hex')).toBe(hash);
    previous = hash;
  }
});

test('an entry that could not be written is written again', async () => {
  const { store } = await setUpChain(postgres);
  const failing = store.chains.log(async () => Promise.reject(new Error('closed')));
  await expect(failing).rejects.toMatchObject({ errors: [{ message: 'closed' }] });
  const log = createAuditLog(store);
  expect(await log.log()).toBe(5);
});

test('what retention removed is not a problem; its marker cannot be moved', async () => {
  const { store } = await setUpChain(postgres);
  const restore = await backUp(store);
  const all = async () => ({ days: 0, since: 0 });
  await addEntries(store, ['r6']);
  await store.chains.extend();
  expect(await store.chains.sweep(all, { rows: 2, maxStatements: 2 })).toBe(4);
  expect(await reportsOf(store)).toMatchObject([
    { ends: { head: { number: 6 }, removed: { number: 4 } }, problems: [] },
  ]);
  expect(await store.chains.sweep(all)).toBe(2);
  expect(await reportsOf(store)).toMatchObject([
    { ends: { head: { number: 6 }, removed: { number: 6 } }, problems: [] },
  ]);
  await addEntries(store, ['r7']);
  await store.chains.extend();
  expect(await reportsOf(store)).toMatchObject([
    { ends: { head: { number: 7 }, removed: { number: 6 } }, problems: [] },
  ]);
  await restore();
  await store.pool.query('delete from dropline.audit where chain_number < 3');
  expect(await problemsOf(store)).toEqual(['entries 1 to 2 were removed']);
});

test('a sweep keeps an entry that is not old enough, and all after it', async () => {
  const { store } = await setUpStore(postgres);
  const day = 86_400_000;
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const [index, age] of [50, 45, 20, 40].entries()) {
    vi.setSystemTime(new Date(vi.getRealSystemTime() - age * day));
    await addEntries(store, [`r${index}`]);
  }
  vi.useRealTimers();
  while ((await store.chains.extend()) > 0);
  expect(await store.chains.sweep(async () => ({ days: 30, since: 0 }))).toBe(2);
  expect((await store.audit.list('T1')).map(({ reference }) => reference)).toEqual(['r3', 'r2']);
  expect(await problemsOf(store)).toEqual([]);
});

test('a longer retention counts at once, a shorter one after a day', async () => {
  const { store } = await setUpChain(postgres);
  const hours = (count: number) => Date.now() - count * 3_600_000;
  const daysAfter = async (setting?: { days: number; since: number }) => {
    await store.chains.sweep(async () => setting);
    return store.chains.daysKept('T1');
  };
  expect(await daysAfter()).toBe(400);
  expect(await daysAfter({ days: 30, since: hours(23) })).toBe(400);
  expect(await daysAfter({ days: 3_650, since: hours(0) })).toBe(3_650);
  expect(await daysAfter()).toBe(3_650);
  expect(await daysAfter({ days: 30, since: hours(25) })).toBe(30);
  await store.purgeWorkspace('T1');
  expect(await store.chains.daysKept('T1')).toBe(400);
});

test('an uninstall removes the chain; a disconnect keeps it', async () => {
  const { store } = await setUpChain(postgres);
  await store.purgeWorkspace('T1', ['audit', 'chains']);
  expect(await reportsOf(store)).toMatchObject([{ ends: { head: { number: 5 } }, problems: [] }]);
  await store.purgeWorkspace('T1');
  expect(await reportsOf(store)).toEqual([]);
  await addEntries(store, ['r1']);
  await store.chains.extend();
  expect(await reportsOf(store)).toMatchObject([{ ends: { head: { number: 1 } }, problems: [] }]);
});

test('a process without the new key leaves entries to others', async () => {
  const { store, openAnotherStore, secretKeys } = await setUpChain(postgres);
  const next = await openAnotherStore({ secretKeys: [randomBytes(32), ...secretKeys] });
  await addEntries(next, ['r6']);
  await addEntries(store, ['r7']);
  expect(await store.chains.extend()).toBe(1);
  expect(await next.chains.extend()).toBe(1);
  expect(await reportsOf(next)).toMatchObject([{ ends: { head: { number: 7 } }, problems: [] }]);
});
