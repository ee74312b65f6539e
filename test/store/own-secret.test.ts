import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, SecretKeyError } from '../../src/store/index.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();

test('a database opens only with its own keys, during and after a key rotation', async () => {
  const { openAnotherStore, secretKeys } = await setUpStore(postgres);
  const next = randomBytes(32);
  await expect(openAnotherStore({ secretKeys: [next] })).rejects.toThrow(SecretKeyError);
  const rotating = await openAnotherStore({ secretKeys: [next, ...secretKeys] });
  await openAnotherStore({ secretKeys });
  await rotating.reencrypt();
  await openAnotherStore({ secretKeys: [next] });
  await expect(openAnotherStore({ secretKeys })).rejects.toThrow(
    'SECRET_KEY does not decrypt the data in this database.',
  );
});

test('if processes start with two different keys, only one of the keys is accepted', async () => {
  const database = await postgres.createDatabase();
  onTestFinished(() => database.drop());
  const keys = [randomBytes(32), randomBytes(32)];
  const starts = Array.from({ length: 8 }, async (_, index) => {
    const secretKeys = [keys[index % 2] ?? Buffer.alloc(32)];
    const store = await openStore({ connection: database.connection, secretKeys, maxConnections: 2 });
    await store.close();
    return index % 2;
  });
  const outcomes = await Promise.allSettled(starts);
  const openedWith = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(openedWith).toHaveLength(4);
  expect(new Set(openedWith).size).toBe(1);
});

test('the keyed hash of a text survives a key rotation and differs by database', async () => {
  const { store, openAnotherStore, secretKeys } = await setUpStore(postgres);
  const hmac = store.hmacOf('anna@example.org');
  const next = randomBytes(32);
  await (await openAnotherStore({ secretKeys: [next, ...secretKeys] })).reencrypt();
  const rotated = await openAnotherStore({ secretKeys: [next] });
  expect(rotated.hmacOf('anna@example.org')).toBe(hmac);
  expect(rotated.hmacOf('bo@example.org')).not.toBe(hmac);
  const otherStore = (await setUpStore(postgres)).store;
  expect(otherStore.hmacOf('anna@example.org')).not.toBe(hmac);
});
