import { KeyvPostgres, type KeyvPostgresOptions } from '@keyv/postgres';
import type pg from 'pg';
import { createLimiter } from '../lib/limiter.ts';
import type { Cipher } from './encryption.ts';
import {
  createAdder,
  createPrefixReader,
  createReader,
  createWriter,
  type PrefixedRow,
  type Row,
  selectByPrefix,
} from './keyv-rows.ts';
import { inTransaction } from './pool.ts';

const lockTimeout = '10s';

/** The new text of a value, and what `update` returns. Without `text`, the value is deleted. */
export interface ChangeResult<R> {
  text: string | undefined;
  result: R;
}

export interface UpdateOptions {
  ttlMs?: number;
  /** A transaction. */
  within?: pg.ClientBase;
  /** Runs after the change, before the commit. */
  inSameTransaction?: (client: pg.ClientBase) => Promise<void>;
}

/**
 * The Postgres store of keyv on our own pool, with every value encrypted for its row.
 *
 * KeyvPostgres has one pool for the whole module, ends it for all users on disconnect, ends the process when an idle
 * connection breaks, and tries to create its table. This subclass uses our pool and our table (migrations.ts), and has
 * nothing to disconnect. Methods that would bypass the encryption, or are wrong in the installed version (clear,
 * iterator and has), are disabled; collections.ts needs none of them.
 */
export class EncryptedKeyv extends KeyvPostgres {
  readonly #pool: pg.Pool;
  readonly #cipher: Cipher;
  readonly #add: (row: Row) => Promise<boolean>;
  readonly #read: (key: string) => Promise<string | undefined>;
  readonly #readAll: (prefix: string) => Promise<PrefixedRow[]>;
  readonly #write: (row: Row) => Promise<unknown>;
  readonly #updates = createLimiter(1);

  constructor(pool: pg.Pool, cipher: Cipher) {
    // The parent constructor calls connect() before ours has run, so the pool is passed in the options.
    super({ schema: 'dropline', table: 'keyv', pool } as KeyvPostgresOptions);
    this.#pool = pool;
    this.#cipher = cipher;
    this.#add = createAdder(pool);
    this.#read = createReader(pool);
    this.#readAll = createPrefixReader(pool);
    this.#write = createWriter(pool);
  }

  override async connect() {
    const { pool } = this.opts as KeyvPostgresOptions & { pool: pg.Pool };
    return async (sql: string, values?: unknown[]) =>
      /^create /i.test(sql) ? [] : (await pool.query(sql, values)).rows;
  }

  override async disconnect(): Promise<void> {}

  override async get(key: string): Promise<string | undefined> {
    // keyv would delete a key that it finds expired, even if a new value was set in between. So this never returns an
    // expired value to keyv; the sweep deletes expired rows.
    const value = await this.#read(key);
    return value === undefined ? undefined : this.#cipher.decrypt(contextOf(key), value);
  }

  /** Reads the values of all keys that begin with the prefix, which ends with a space. `within` is a transaction. */
  async list(prefix: string, within?: Pick<pg.ClientBase, 'query'>): Promise<Map<string, string>> {
    const rows = await (within === undefined ? this.#readAll(prefix) : selectByPrefix(within, [prefix]));
    return new Map(rows.map(({ key, value }) => [key, this.#cipher.decrypt(contextOf(key), value)]));
  }

  /** Expiry uses the database clock only, so the `expires` that keyv adds is dropped. */
  override async set(key: string, value: string, ttlMs?: number): Promise<void> {
    const { expires: _, ...envelope } = JSON.parse(value) as { expires?: number | null };
    await this.#write({ key, value: this.#cipher.encrypt(contextOf(key), JSON.stringify(envelope)), ttlMs });
  }

  /** Adds a row, unless there is one that hasn't expired. Only one of several concurrent calls succeeds. */
  async add(key: string, value: string, ttlMs: number | undefined): Promise<boolean> {
    return this.#add({ key, value: this.#cipher.encrypt(contextOf(key), value), ttlMs });
  }

  /**
   * Changes a value under its row's lock. `change` gets undefined if there is no value. Updates of one key are queued
   * in memory first, because each one that waits in the database would hold a connection. `within` is a transaction.
   */
  update<R>(
    key: string,
    change: (text: string | undefined) => ChangeResult<R>,
    { ttlMs, within, inSameTransaction }: UpdateOptions = {},
  ): Promise<R> {
    const updateWithin = async (client: pg.ClientBase) => {
      const result = await this.#updateLocked(client, key, change, ttlMs);
      await inSameTransaction?.(client);
      return result;
    };
    if (within !== undefined) return updateWithin(within);
    return this.#updates.run(key, () => inTransaction(this.#pool, updateWithin));
  }

  async #updateLocked<R>(
    client: pg.ClientBase,
    key: string,
    change: (text: string | undefined) => ChangeResult<R>,
    ttlMs: number | undefined,
  ): Promise<R> {
    await client.query(`set local lock_timeout = '${lockTimeout}'`);
    const lock = async () =>
      client.query<{ value: string; isPresent: boolean }>(
        `select value, expires_at is null or expires_at > now() as "isPresent" from dropline.keyv where key = $1 for update`,
        [key],
      );
    let { rows } = await lock();
    if (rows.length === 0) {
      // A missing row can't be locked, so this adds one that has already expired, which no reader sees.
      await client.query(
        `insert into dropline.keyv (key, value, expires_at) values ($1, '', now()) on conflict do nothing`,
        [key],
      );
      ({ rows } = await lock());
    }
    const [row] = rows;
    const { text, result } = change(row?.isPresent ? this.#cipher.decrypt(contextOf(key), row.value) : undefined);
    if (text === undefined) {
      await client.query('delete from dropline.keyv where key = $1', [key]);
      return result;
    }
    await client.query(
      `update dropline.keyv set value = $2, expires_at = now() + $3::float8 * interval '1 millisecond' where key = $1`,
      [key, this.#cipher.encrypt(contextOf(key), text), ttlMs ?? null],
    );
    return result;
  }

  override async delete(key: string): Promise<boolean> {
    return (await this.take(key)) !== undefined;
  }

  /** Deletes a row and returns its value. Only one of several concurrent calls gets it. */
  async take(key: string, within: Pick<pg.ClientBase, 'query'> = this.#pool): Promise<string | undefined> {
    const { rows } = await within.query<{ value: string }>(
      'delete from dropline.keyv where key = $1 and (expires_at is null or expires_at > now()) returning value',
      [key],
    );
    return rows[0] === undefined ? undefined : this.#cipher.decrypt(contextOf(key), rows[0].value);
  }

  override getMany = unsupported;
  override setMany = unsupported;
  override deleteMany = unsupported;
  override clear = unsupported;
  override has = unsupported;

  // biome-ignore lint/correctness/useYield: it only rejects
  override async *iterator(): AsyncGenerator<string[], void, unknown> {
    await unsupported();
  }
}

export function contextOf(key: string): string {
  return `keyv:${key}`;
}

function unsupported(): Promise<never> {
  return Promise.reject(new Error('not supported: see encrypted-keyv.ts'));
}
