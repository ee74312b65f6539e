import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createLog } from '../../src/lib/log.ts';
import { encryptedColumns } from '../../src/store/encrypted-columns.ts';
import { dumpOf, encodingsOf } from '../helpers/dump.ts';
import { apiKey, setUp, user } from '../helpers/exchange.ts';
import { calls, prepare } from '../helpers/operations.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();
const credentials = {
  baseUrl: 'https://files.example.com',
  username: 'api@example.com',
  apiKey: 'KEY-THAT-MUST-NOT-SHOW',
  connectedBy: 'U1',
  connectedAt: 1,
};
const secrets = [credentials.apiKey, 'xoxb-MUST-NOT-SHOW', 'CSRF-MUST-NOT-SHOW', 'details that must not show'];

async function setUpFilled() {
  const setup = await setUpStore(postgres);
  const { store } = setup;
  await store.credentials.set('T1', credentials);
  await store.installations.set('T1', { team: { id: 'T1' }, bot: { token: 'xoxb-MUST-NOT-SHOW' } });
  await store.tokens.write('account', { value: 'CSRF-MUST-NOT-SHOW', lastUsed: 1 });
  await store.audit.record({
    workspace: 'T1',
    person: 'U1',
    action: 'send',
    outcome: 'sent',
    reference: 'r1',
    details: { files: [{ name: 'details that must not show' }] },
  });
  return setup;
}

test('credentials, installations, tokens and audit details are stored encrypted', async () => {
  const setup = await setUpFilled();
  const text = await dumpOf(setup.store.pool);
  for (const encoded of secrets.flatMap(encodingsOf)) expect(text).not.toContain(encoded);
  const { rows } = await setup.store.pool.query('select key, value from dropline.keyv order by key');
  expect(rows.map(({ key }) => key.split(':')[0])).toEqual(['credentials', 'csrf', 'installation', 'own-secret']);
  for (const { value } of rows) expect(value).toMatch(/^s1\.[\w-]{8}\.[\w-]+$/);
  expect(await setup.store.credentials.get({ workspace: 'T1' })).toEqual(credentials);
});

test('database and log contain no secret after any operation, failed or not', async () => {
  const setup = await setUpStore(postgres);
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  const service = await setUp({ client: { tokens: setup.store.tokens, log } });
  await prepare(service);
  for (const call of calls) {
    service.server.addFault({ operation: call.endpoint, kind: 'wrong-token' });
    await call.run(service.exchange).catch((error: unknown) => log.error({ err: error }, 'as a job would log it'));
    service.server.addFault({ operation: call.endpoint, kind: 'reset-after' });
    await call.run(service.exchange).catch((error: unknown) => log.error({ err: error }, 'as a job would log it'));
  }
  const everything = `${await dumpOf(setup.store.pool)}\n${lines.join('')}`;
  expect(lines.length).toBeGreaterThan(2 * calls.length);
  expect(service.account.tokens.length).toBeGreaterThan(1);
  for (const { value } of service.account.tokens) expect(everything).not.toContain(value);
  expect(everything).not.toContain(apiKey);
  expect(everything).not.toContain(Buffer.from(`${user}:${apiKey}`).toString('base64'));
});

test('an encrypted row moved or copied to another key is rejected', async () => {
  const { store } = await setUpFilled();
  await store.pool.query(
    `insert into dropline.keyv select replace(key, 'T1', 'T2'), value, expires_at from dropline.keyv
     where key like 'credentials:T1 %'`,
  );
  await expect(store.credentials.get({ workspace: 'T2' })).rejects.toThrow('altered or belongs to another row');
  await store.pool.query(
    `update dropline.keyv set value = (select value from dropline.keyv where key like 'csrf:%') where key like 'credentials:T1 %'`,
  );
  await expect(store.credentials.get({ workspace: 'T1' })).rejects.toThrow('altered or belongs to another row');
});

test('in a key rotation, old rows stay readable; re-encryption replaces the old key', async () => {
  const { store, openAnotherStore, secretKeys } = await setUpFilled();
  const [old] = secretKeys;
  const next = randomBytes(32);
  const rotating = await openAnotherStore({ secretKeys: [next, ...secretKeys] });
  await rotating.credentials.set('T2', { ...credentials, username: 'new@example.com' });
  expect(await rotating.credentials.get({ workspace: 'T1' })).toEqual(credentials);
  await expect(store.credentials.get({ workspace: 'T2' })).rejects.toThrow('SECRET_KEY');
  expect(await rotating.reencrypt()).toEqual({ encrypted: 5, undecryptable: [] });
  expect(await rotating.reencrypt()).toEqual({ encrypted: 0, undecryptable: [] });
  const rotated = await openAnotherStore({ secretKeys: [next] });
  expect(old).not.toEqual(next);
  expect(await rotated.credentials.get({ workspace: 'T1' })).toEqual(credentials);
  expect(await rotated.audit.list('T1')).toMatchObject([
    { details: { files: [{ name: 'details that must not show' }] } },
  ]);
  expect(await rotated.tokens.read('account')).toEqual({ value: 'CSRF-MUST-NOT-SHOW', lastUsed: 1 });
});

test('re-encryption covers every encrypted column and skips current values', async () => {
  const { store } = await setUpStore(postgres);
  const { rows } = await store.pool.query(
    `select table_name, column_name from information_schema.columns where table_schema = 'dropline' and column_name like '%\\_encrypted'`,
  );
  const known = encryptedColumns.map(({ table, column }) => `${table}.${column}`);
  for (const { table_name: table, column_name: column } of rows) expect(known).toContain(`${table}.${column}`);
  expect(known).toHaveLength(rows.length + 1);
  await store.collection({ kind: 'x', schema: z.string() }).set('a', 'b');
  expect(await store.reencrypt()).toEqual({ encrypted: 0, undecryptable: [] });
});
