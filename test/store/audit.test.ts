import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();
const entry = { workspace: 'T1', person: 'U1', action: 'pause', outcome: 'done', reference: 'r1' } as const;

test('a changed column makes an audit entry unreadable', async () => {
  const { store } = await setUpStore(postgres);
  const changes = [
    `person = 'U2'`,
    `action = 'resume'`,
    `action = 'unknown'`,
    `outcome = 'not-allowed'`,
    `reference = 'r2'`,
    `at = at + interval '1 microsecond'`,
    `at = at - interval '1 hour'`,
    `id = gen_random_uuid()`,
    `details_encrypted = ''`,
    `workspace = 'T2'`,
  ];
  await store.audit.record({ ...entry, details: { target: 'sending', reason: 'Maintenance' } });
  for (const change of changes) {
    const client = await store.pool.connect();
    const { rows } = await client.query('select * from dropline.audit');
    await client.query(`update dropline.audit set ${change}`);
    const workspace = change.startsWith('workspace') ? 'T2' : 'T1';
    expect(
      (await store.audit.list(workspace)).map(({ details }) => details),
      change,
    ).toEqual([undefined]);
    await client.query('delete from dropline.audit');
    await client.query(
      `insert into dropline.audit overriding system value select * from json_populate_record(null::dropline.audit, $1)`,
      [rows[0]],
    );
    client.release();
  }
  expect(await store.audit.list('T1')).toMatchObject([{ details: { target: 'sending', reason: 'Maintenance' } }]);
});

test('an audit entry without details stays readable after a key rotation', async () => {
  const { store, openAnotherStore, secretKeys } = await setUpStore(postgres);
  await store.audit.record(entry);
  const next = randomBytes(32);
  const rotating = await openAnotherStore({ secretKeys: [next, ...secretKeys] });
  expect(await rotating.reencrypt()).toMatchObject({ undecryptable: [] });
  const rotated = await openAnotherStore({ secretKeys: [next] });
  expect(await rotated.audit.list('T1')).toMatchObject([{ ...entry, details: {} }]);
});
