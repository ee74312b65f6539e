import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { addressOf, executeAsAdmin, type ServerAddress } from './postgres-address.ts';
import { type PostgresServer, startServer } from './postgres-server.ts';

export interface TestDatabase {
  /** For `new pg.Pool(connection)`. */
  connection: pg.ClientConfig;
  /** The same as a connection string. */
  connectionString: string;
  /** Cuts every connection and refuses new ones until `reconnect`. */
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
  drop(): Promise<void>;
}

export interface TestPostgres {
  /**
   * Creates a database for a test, with every table unless `isEmpty`. Databases that a test does not drop are dropped
   * after the file.
   */
  createDatabase(options?: { isEmpty?: boolean }): Promise<TestDatabase>;
  /** Calls `close` after the last test of the file, before its databases are dropped. */
  afterFile(close: () => Promise<void>): void;
  /**
   * Creates databases that the tests of a worker share, one after the other. In the short tier, this is one object for
   * all files of a worker, and its databases remain until the server stops. In other tiers, it is the file's own.
   */
  sharedPostgres: TestPostgres;
}

/**
 * Call this at the top of a test file or a `describe`. Test files share the server of the run (see global-setup.ts);
 * `isShared: false` starts a separate one, for tests that affect the whole server. `TEST_DATABASE_URL` names an
 * existing server to use instead; its user must be allowed to create databases.
 */
export function startTestPostgres({ isShared = true } = {}): TestPostgres {
  let separateServer: PostgresServer | undefined;
  const openDatabases = new Set<TestDatabase>();
  const closers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    if (!isShared) separateServer = await startServer();
  }, 60_000);
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
    for (const database of openDatabases) await database.drop();
    await separateServer?.stop();
  }, 60_000);
  const filePostgres: TestPostgres = {
    async createDatabase({ isEmpty = false } = {}) {
      const created = await createDatabase(separateServer?.address ?? inject('postgres'), isEmpty);
      openDatabases.add(created);
      return { ...created, drop: () => created.drop().then(() => void openDatabases.delete(created)) };
    },
    afterFile: (close) => void closers.push(close),
    get sharedPostgres() {
      return isShared && inject('isShort') ? workerPostgres : filePostgres;
    },
  };
  return filePostgres;
}

/** `afterFile` does nothing, because the worker's process ends with its last file. */
const workerPostgres: TestPostgres = {
  createDatabase: ({ isEmpty = false } = {}) => createDatabase(inject('postgres'), isEmpty),
  afterFile: () => {},
  get sharedPostgres() {
    return workerPostgres;
  },
};

/** A copy of a database as it is, like a backup. Cuts every connection. The caller drops it. */
export async function copyDatabase(original: TestDatabase): Promise<TestDatabase> {
  await original.disconnect();
  const { database = '' } = new pg.Client(original.connection);
  const copied = await copyOf(inject('postgres'), database);
  await original.reconnect();
  return copied;
}

const createDatabase = (server: ServerAddress, isEmpty: boolean) =>
  copyOf(server, isEmpty ? 'template1' : server.template);

async function copyOf(server: ServerAddress, template: string): Promise<TestDatabase> {
  const name = `${server.prefix}${randomBytes(8).toString('hex')}`;
  // On our own server, copying files takes a quarter of the CPU time of copying pages. Other servers can be too old for
  // it.
  const options = server.owner === undefined ? '' : `owner ${server.owner} strategy file_copy`;
  await executeAsAdmin(server, `create database ${name} template ${template} ${options}`);
  return {
    ...addressOf(server, name),
    async disconnect() {
      await executeAsAdmin(server, `alter database ${name} allow_connections false`);
      await executeAsAdmin(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    },
    reconnect: () => executeAsAdmin(server, `alter database ${name} allow_connections true`),
    drop: () => executeAsAdmin(server, `drop database if exists ${name} with (force)`),
  };
}
