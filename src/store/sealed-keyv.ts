import { KeyvPostgres, type KeyvPostgresOptions } from '@keyv/postgres';
import type pg from 'pg';
import { createAdder, type Row } from './adding.ts';
import type { Vault } from './sealing.ts';

/**
 * The Postgres store of keyv on our own pool, with every value sealed for the row it stands in.
 *
 * As it comes, that store keeps one pool for the whole module, ends it for everybody on disconnect, dies with the
 * process when an idle connection breaks, and creates its table once at best. So: our pool, our table (migrations.ts),
 * nothing to disconnect. What would go around the seal or is wrong in that version (clear, iterator and has, see the
 * tests) is closed off; drawers.ts needs none of it.
 */
export class SealedKeyv extends KeyvPostgres {
  readonly #pool: pg.Pool;
  readonly #vault: Vault;
  readonly #add: (row: Row) => Promise<boolean>;

  constructor(pool: pg.Pool, vault: Vault) {
    // The constructor above calls connect() before ours has run, so the pool travels with the options.
    super({ schema: 'dropline', table: 'keyv', pool } as KeyvPostgresOptions);
    this.#pool = pool;
    this.#vault = vault;
    this.#add = createAdder(pool);
  }

  override async connect() {
    const { pool } = this.opts as KeyvPostgresOptions & { pool: pg.Pool };
    return async (sql: string, values?: unknown[]) =>
      /^create /i.test(sql) ? [] : (await pool.query(sql, values)).rows;
  }

  override async disconnect(): Promise<void> {}

  override async get(key: string): Promise<string | undefined> {
    // keyv would remove what it finds expired, and with it a value that was set in between; the sweep does that.
    const { rows } = await this.#pool.query<{ value: string }>(
      'select value from dropline.keyv where key = $1 and (expires_at is null or expires_at > now())',
      [key],
    );
    return rows[0] === undefined ? undefined : this.#vault.open(placeOf(key), rows[0].value);
  }

  /** Expiry uses the database clock only. Rows of older versions also have `expires` in their value. */
  override async set(key: string, value: string, ttlMs?: number): Promise<void> {
    const { expires: _, ...envelope } = JSON.parse(value) as { expires?: number | null };
    await this.#pool.query(
      `insert into dropline.keyv (key, value, expires_at) values ($1, $2, now() + $3::float8 * interval '1 millisecond')
       on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`,
      [key, this.#vault.seal(placeOf(key), JSON.stringify(envelope)), ttlMs ?? null],
    );
  }

  /** Of many who try at once, one succeeds; again only after it was removed or has expired. */
  async add(key: string, value: string, ttlMs: number | undefined): Promise<boolean> {
    return this.#add({ key, value: this.#vault.seal(placeOf(key), value), ttlMs });
  }

  override async delete(key: string): Promise<boolean> {
    return (await this.take(key)) !== undefined;
  }

  /** Removes a row and returns its value: of many who try at once, one gets it. */
  async take(key: string, within: Pick<pg.ClientBase, 'query'> = this.#pool): Promise<string | undefined> {
    const { rows } = await within.query<{ value: string }>(
      'delete from dropline.keyv where key = $1 and (expires_at is null or expires_at > now()) returning value',
      [key],
    );
    return rows[0] === undefined ? undefined : this.#vault.open(placeOf(key), rows[0].value);
  }

  override getMany(): Promise<never> {
    return closedOff();
  }

  override setMany(): Promise<never> {
    return closedOff();
  }

  override deleteMany(): Promise<never> {
    return closedOff();
  }

  override clear(): Promise<never> {
    return closedOff();
  }

  override has(): Promise<never> {
    return closedOff();
  }

  // biome-ignore lint/correctness/useYield: it is there to refuse
  override async *iterator(): AsyncGenerator<string[], void, unknown> {
    await closedOff();
  }
}

export function placeOf(key: string): string {
  return `keyv:${key}`;
}

function closedOff(): Promise<never> {
  return Promise.reject(new Error('this is not offered: see sealed-keyv.ts'));
}
