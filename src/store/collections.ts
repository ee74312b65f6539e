import { createHash } from 'node:crypto';
import Keyv from 'keyv';
import type pg from 'pg';
import type { z } from 'zod';
import { stored } from '../lib/stored-formats.ts';
import { inBatches } from './batches.ts';
import { EncryptedKeyv, type UpdateOptions } from './encrypted-keyv.ts';
import type { Cipher } from './encryption.ts';

/** A collection: values of one kind, keyed by their owner, usually a workspace, and optionally a name. */
export interface Collection<T> {
  /** Rejects if the database fails, so undefined always means that there is no value. */
  get(owner: string, name?: string): Promise<T | undefined>;
  /** The owner's values by name. `within` is a transaction. */
  list(owner: string, within?: Pick<pg.ClientBase, 'query'>): Promise<Map<string, T>>;
  /** `within` is a transaction. */
  set(owner: string, value: T, options?: { name?: string; ttlMs?: number; within?: pg.ClientBase }): Promise<void>;
  /** Sets the value unless there is one. Only one of several concurrent calls succeeds. */
  add(owner: string, value: T, options?: { name?: string; ttlMs?: number }): Promise<boolean>;
  /**
   * Changes a value; concurrent changes of the same value wait for each other. `change` gets undefined if there is no
   * value, and deletes the value by returning undefined. Rejects if another process locks the row for over 10 seconds.
   */
  update<R extends T | undefined>(
    owner: string,
    change: (value: T | undefined) => R,
    options?: { name?: string } & UpdateOptions,
  ): Promise<R>;
  delete(owner: string, name?: string): Promise<boolean>;
  /** Deletes a value and returns it. Only one of several concurrent calls gets it. `within` is a transaction. */
  take(owner: string, name?: string, within?: Pick<pg.ClientBase, 'query'>): Promise<T | undefined>;
  /** Lists every owner that has a value in this collection. */
  listOwners(): Promise<string[]>;
}

/** A namespace of keyv and the schema of its values. */
export interface CollectionDefinition<T> {
  kind: string;
  schema: z.ZodType<T>;
}

export function defineCollection<T>(kind: string, schema: z.ZodType<T>): CollectionDefinition<T> {
  return { kind, schema: stored(kind, schema) };
}

/** A collection is a keyv namespace with a separate store: two namespaces on one store would read each other's rows. */
export function createCollection<T>(
  pool: pg.Pool,
  cipher: Cipher,
  { kind, schema }: CollectionDefinition<T>,
): Collection<T> {
  const store = new EncryptedKeyv(pool, cipher);
  const keyv = new Keyv({ store, namespace: kind, throwOnErrors: true });
  // Errors are reported by rejection; without a listener, keyv would also throw them from its emitter.
  keyv.on('error', () => {});
  const parse = (key: string, value: unknown): T | undefined => {
    if (value === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (!parsed.success)
      throw new Error(`${kind} ${key} does not match its schema: ${parsed.error.issues[0]?.message}`);
    return parsed.data;
  };
  const parseText = (key: string, text: string) => parse(key, (JSON.parse(text) as { value: unknown }).value);
  return {
    async get(owner, name) {
      const key = keyOf(owner, name);
      return parse(key, await keyv.get(key));
    },
    async list(owner, within) {
      const prefix = `${kind}:${keyOf(owner)} `;
      const values = new Map<string, T>();
      for (const [key, text] of await store.list(prefix, within)) {
        const value = parseText(key, text);
        if (value !== undefined) values.set(decodeURIComponent(key.slice(prefix.length)), value);
      }
      return values;
    },
    async set(owner, value, { name, ttlMs, within } = {}) {
      // keyv treats 0 as "never expires", so a secret whose time is up would be stored forever.
      if (ttlMs !== undefined && !(ttlMs > 0)) throw new RangeError('ttlMs must be positive');
      const key = keyOf(owner, name);
      const parsed = schema.parse(value);
      if (within === undefined) return void (await keyv.set(key, parsed, ttlMs));
      const text = JSON.stringify({ value: parsed });
      await store.update(`${kind}:${key}`, () => ({ text, result: undefined }), { ttlMs, within });
    },
    add(owner, value, { name, ttlMs } = {}) {
      return store.add(`${kind}:${keyOf(owner, name)}`, JSON.stringify({ value: schema.parse(value) }), ttlMs);
    },
    update(owner, change, { name, ...options } = {}) {
      const key = keyOf(owner, name);
      const changeText = (text: string | undefined) => {
        const result = change(text === undefined ? undefined : parseText(key, text));
        return { text: result === undefined ? undefined : JSON.stringify({ value: schema.parse(result) }), result };
      };
      return store.update(`${kind}:${key}`, changeText, options);
    },
    delete: (owner, name) => keyv.delete(keyOf(owner, name)),
    async take(owner, name, within) {
      const key = keyOf(owner, name);
      const text = await store.take(`${kind}:${key}`, within);
      return text === undefined ? undefined : parseText(key, text);
    },
    async listOwners() {
      const { rows } = await pool.query<{ owner: string }>(
        `select distinct split_part(substr(key, length($1) + 2), ' ', 1) as owner from dropline.keyv
         where starts_with(key, $1 || ':') and (expires_at is null or expires_at > now()) order by owner`,
        [kind],
      );
      return rows.map(({ owner }) => decodeURIComponent(owner));
    },
  };
}

/** Creates the collection of a kind on first use. */
export function createCollections(
  pool: pg.Pool,
  cipher: Cipher,
): <T>(definition: CollectionDefinition<T>) => Collection<T> {
  const collections = new Map<string, { schema: unknown; collection: unknown }>();
  return <T>({ kind, schema }: CollectionDefinition<T>) => {
    const existing = collections.get(kind);
    if (existing?.schema === schema) return existing.collection as Collection<T>;
    const collection = createCollection(pool, cipher, { kind, schema });
    collections.set(kind, { schema, collection });
    return collection;
  };
}

/** The part of a key that names an account. The account's id is a URL of any length; a key has 255 characters at most. */
export function accountKey(account: string): string {
  return createHash('sha256').update(account).digest('base64url');
}

/** Encoded parts contain no space, so different owners and names never share a key. */
function keyOf(owner: string, name?: string): string {
  const parts = name === undefined ? [owner] : [owner, name];
  return parts.map(encodeURIComponent).join(' ');
}

/** Deletes the values with this name from these collections. */
export async function purgeNamed(pool: pg.Pool, kinds: readonly string[], owner: string, name: string): Promise<void> {
  const keys = kinds.map((kind) => `${kind}:${keyOf(owner, name)}`);
  await pool.query('delete from dropline.keyv where key = any ($1)', [keys]);
}

/**
 * Deletes all values of a workspace except the kinds to keep. The last statement deletes its credentials: as long as
 * they exist, an interrupted removal is resumed.
 */
export async function purgeOwner(pool: pg.Pool, owner: string, keep: readonly string[] = []): Promise<void> {
  const where = `(substr(key, strpos(key, ':') + 1) = $1 or starts_with(substr(key, strpos(key, ':') + 1), $1 || ' '))
    and split_part(key, ':', 1) <> all ($2)`;
  const valuesExcept = (kinds: readonly string[]) => [encodeURIComponent(owner), kinds];
  await inBatches(pool, { table: 'keyv', where, values: valuesExcept([...keep, 'credentials']) });
  await pool.query(`delete from dropline.keyv where ${where}`, valuesExcept(keep));
}
