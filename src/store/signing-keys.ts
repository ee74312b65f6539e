import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import type { PublicKeys, Signature } from '../lib/receipt.ts';
import { stored } from '../lib/stored-formats.ts';
import { createColumnCipher } from './encrypted-columns.ts';
import type { Cipher } from './encryption.ts';
import { lockInTransaction } from './locks.ts';
import { inTransaction } from './pool.ts';

/** In PEM. An older key has no private part any more. */
const signingKey = stored(
  'signing_keys.key_encrypted',
  z.object({ publicKey: z.string(), privateKey: z.string().optional(), since: z.string() }),
);
type SigningKey = z.infer<typeof signingKey>;

/**
 * The deployment's Ed25519 keys. The public parts are encrypted too: without SECRET_KEY, nobody can add a key that counts
 * as ours.
 */
export function createSigningKeys(pool: pg.Pool, cipher: Cipher) {
  const { encrypt, decrypt } = createColumnCipher(cipher, 'signing_keys', 'key_encrypted');

  const write = (client: pg.ClientBase, id: string, key: SigningKey) =>
    client.query(
      `insert into dropline.signing_keys (id, key_encrypted) values ($1, $2)
       on conflict (id) do update set key_encrypted = excluded.key_encrypted`,
      [id, encrypt(id, key)],
    );

  /** Oldest first. */
  async function readAll(client: pg.ClientBase) {
    const { rows } = await client.query<{ id: string; encrypted: string }>(
      'select id, key_encrypted as encrypted from dropline.signing_keys',
    );
    const keys = rows.flatMap(({ id, encrypted }) => {
      try {
        return { ...signingKey.parse(decrypt(id, encrypted)), id, isCurrent: cipher.isCurrent(encrypted) };
      } catch {
        return []; // not ours, or encrypted with a key that is gone
      }
    });
    return keys.sort((one, other) => (one.since < other.since ? -1 : 1));
  }

  /** Runs `work` with all keys. The last one has its private part. */
  const withKeys = <T>(work: (keys: Awaited<ReturnType<typeof readAll>>, client: pg.ClientBase) => T | Promise<T>) =>
    inTransaction(pool, async (client) => {
      await lockInTransaction(client, 'signing keys');
      const keys = await readAll(client);
      if (keys.at(-1)?.privateKey === undefined) await create(client);
      return work(await readAll(client), client);
    });

  async function create(client: pg.ClientBase): Promise<void> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const id = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
    await write(client, id, { publicKey, privateKey, since: new Date().toISOString() });
  }

  return {
    sign: (text: string): Promise<Signature> =>
      withKeys((keys) => {
        const { id = '', privateKey = '' } = keys.at(-1) ?? {};
        return { key: id, signature: sign(null, Buffer.from(text), privateKey).toString('base64') };
      }),
    publicKeys: (): Promise<PublicKeys> =>
      withKeys((keys) => keys.map(({ id, publicKey, since }) => ({ id, publicKey, since }))),
    /** After a rotation of SECRET_KEY: makes a new key, and forgets the private part of the one before. */
    renew: (): Promise<void> =>
      inTransaction(pool, async (client) => {
        await lockInTransaction(client, 'signing keys');
        const last = (await readAll(client)).at(-1);
        if (last === undefined || last.isCurrent) return;
        const { id, publicKey, since } = last;
        await write(client, id, { publicKey, since });
        await create(client);
      }),
  };
}
