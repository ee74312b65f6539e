import { createHmac, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { createCollection, defineCollection } from './collections.ts';
import { type Cipher, DecryptionError } from './encryption.ts';

/** The secret key doesn't decrypt this data, or its file isn't valid. Only the operator can fix that. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError';
}

const ownSecrets = defineCollection('own-secret', z.base64());

const remedy =
  'Set the key that it was encrypted with (where SECRET_KEY is not set, that is the file secret.key in DATA_DIR). ' +
  'To change the key, set SECRET_KEY=new,old, restart every process and run reencrypt; then remove the old one.';

/**
 * A random secret that each database gets at its first start. It is encrypted like everything else, so a wrong
 * SECRET_KEY is detected here, before anything is encrypted with it. A change of SECRET_KEY doesn't change the secret,
 * so hashes made with it stay valid.
 */
export async function readOrCreateOwnSecret(pool: pg.Pool, cipher: Cipher): Promise<Buffer> {
  const collection = createCollection(pool, cipher, ownSecrets);
  await collection.add('database', randomBytes(32).toString('base64'));
  try {
    return Buffer.from((await collection.get('database')) ?? '', 'base64');
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    throw new SecretKeyError(`SECRET_KEY does not decrypt the data in this database. ${remedy}`, { cause: error });
  }
}

/** Whether the cipher decrypts the data of this database; undefined if there is no data yet. Changes nothing. */
export async function decryptsOwnSecret(pool: pg.Pool, cipher: Cipher): Promise<boolean | undefined> {
  try {
    return (await createCollection(pool, cipher, ownSecrets).get('database')) === undefined ? undefined : true;
  } catch (error) {
    if (error instanceof DecryptionError) return false;
    throw error;
  }
}

export function hmacWith(ownSecret: Buffer, text: string): string {
  return createHmac('sha256', ownSecret).update('dropline text hash').update(text).digest('base64url');
}
