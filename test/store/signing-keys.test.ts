import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readReceipt, receiptFile, signedTextOf } from '../../src/lib/receipt.ts';
import type { Store } from '../../src/store/index.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();
const receipt = { format: 1, workspace: 'T1', account: '', issuedAt: '', doesNotProve: '', entries: [] };

const signed = async ({ signingKeys }: Store) => receiptFile(receipt, await signingKeys.sign(signedTextOf(receipt)));
const keyOf = async ({ signingKeys }: Store, file: string) => {
  const read = readReceipt(file, await signingKeys.publicKeys());
  return 'key' in read ? read.key : read.problem;
};

test('all processes sign with one key, which is encrypted', async () => {
  const { store, openAnotherStore } = await setUpStore(postgres);
  const other = await openAnotherStore();
  const files = await Promise.all([store, other, store, other].map(signed));
  expect(await store.signingKeys.publicKeys()).toHaveLength(1);
  expect(new Set(await Promise.all(files.map((file) => keyOf(store, file)))).size).toBe(1);
  const { rows } = await store.pool.query('select * from dropline.signing_keys');
  expect(JSON.stringify(rows)).not.toMatch(/KEY-----/);
});

test('a key rotation makes a new signing key; receipts of the older one stay valid', async () => {
  const { store, openAnotherStore, secretKeys } = await setUpStore(postgres);
  const next = randomBytes(32);
  const before = await signed(store);
  expect(await store.reencrypt()).toMatchObject({ encrypted: 0 });
  expect(await store.signingKeys.publicKeys()).toHaveLength(1);
  await (await openAnotherStore({ secretKeys: [next, ...secretKeys] })).reencrypt();
  const rotated = await openAnotherStore({ secretKeys: [next] });
  const [first, second] = await rotated.signingKeys.publicKeys();
  expect(await keyOf(rotated, before)).toBe(first?.id);
  expect(await keyOf(rotated, await signed(rotated))).toBe(second?.id);
  expect(second?.id).not.toBe(first?.id);
  const cipher = rotated.columnCipher('signing_keys', 'key_encrypted');
  const { rows } = await rotated.pool.query('select id, key_encrypted as encrypted from dropline.signing_keys');
  const values = rows.map(({ id, encrypted }) => [id, Object.keys(Object(cipher.decrypt(id, encrypted))).sort()]);
  expect(Object.fromEntries(values)).toEqual({
    [first?.id ?? '']: ['publicKey', 'since'],
    [second?.id ?? '']: ['privateKey', 'publicKey', 'since'],
  });
});

test('a key that was inserted into the database is not among the public keys', async () => {
  const { store } = await setUpStore(postgres);
  const { store: unknown } = await setUpStore(postgres);
  const file = await signed(unknown);
  const { rows } = await unknown.pool.query('select * from dropline.signing_keys');
  const { id, key_encrypted: encrypted } = rows[0];
  await store.pool.query('insert into dropline.signing_keys values ($1, $2)', [id, encrypted]);
  expect(await keyOf(store, file)).toContain("which isn't known");
  expect(await keyOf(store, await signed(store))).not.toBe(id);
});
