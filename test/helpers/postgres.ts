import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { startEmbeddedPostgres } from '../../src/store/embedded/index.ts';
import { makePostgresFolder } from './postgres-folder.ts';

export interface TestDatabase {
  /** For `new pg.Pool(connection)`. */
  connection: pg.ClientConfig;
  /** The same, for what wants a string. */
  connectionString: string;
  /** Cuts every connection and takes no other: away, until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  drop(): Promise<void>;
}

export interface TestPostgres {
  /** A fresh and empty one. What a test does not drop goes with the server. */
  createDatabase(): Promise<TestDatabase>;
}

interface Server {
  admin: pg.ClientConfig;
  /** Who is to own the databases; nobody but the given user on a server that is not ours. */
  owner: string | undefined;
  addressOf(database: string): Pick<TestDatabase, 'connection' | 'connectionString'>;
  stop(): Promise<void>;
}

/** All test files of one worker that run one after the other, and all suites of one file, get the same server. */
let shared: { server: Promise<Server>; users: number } | undefined;

/**
 * Call it at the top of a test file or of a `describe`: the server is there before the first test and goes after the
 * last one. `TEST_DATABASE_URL` names a server to be used instead; its user must be allowed to create databases.
 */
export function startTestPostgres(): TestPostgres {
  let server: Server | undefined;
  const left = new Set<TestDatabase>();
  beforeAll(async () => {
    shared ??= { server: startServer(), users: 0 };
    shared.users += 1;
    server = await shared.server;
  }, 60_000);
  afterAll(async () => {
    for (const database of left) await database.drop();
    if (shared === undefined || --shared.users > 0) return;
    const last = shared.server;
    shared = undefined;
    await (await last).stop();
  }, 60_000);
  return {
    async createDatabase() {
      if (server === undefined) throw new Error('The server is there from the first hook or test on');
      const created = await createDatabase(server);
      left.add(created);
      return { ...created, drop: () => created.drop().then(() => void left.delete(created)) };
    },
  };
}

function startServer(): Promise<Server> {
  const given = process.env.TEST_DATABASE_URL;
  return given === undefined || given === '' ? startOwnServer() : Promise.resolve(useServer(given));
}

async function startOwnServer(): Promise<Server> {
  const folder = await makePostgresFolder();
  try {
    // Nobody will miss this data after a power cut; everywhere else fsync stays on.
    const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
    const server = await startEmbeddedPostgres({ dataDir: folder.path, settings });
    const { host, port, user } = server.connection;
    return {
      admin: { host, port, user: 'postgres', database: 'postgres' },
      owner: user,
      addressOf: (database) => ({
        connection: { host, port, user, database },
        connectionString: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
      }),
      stop: () => server.stop().finally(() => folder.remove()),
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

function useServer(url: string): Server {
  return {
    admin: { connectionString: url },
    owner: undefined,
    addressOf(database) {
      // Not by `URL`, to which the form with a socket and no host is none.
      const connectionString = url.replace(/^([a-z]+:\/\/[^/?#]*)(\/[^?#]*)?/, `$1/${database}`);
      return { connection: { connectionString }, connectionString };
    },
    stop: () => Promise.resolve(),
  };
}

async function createDatabase(server: Server): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, `create database ${name}${server.owner === undefined ? '' : ` owner ${server.owner}`}`);
  return {
    ...server.addressOf(name),
    async goAway() {
      await administer(server, `alter database ${name} allow_connections false`);
      await administer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    },
    comeBack: () => administer(server, `alter database ${name} allow_connections true`),
    drop: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}

async function administer(server: Server, statement: string): Promise<void> {
  const client = new pg.Client(server.admin);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
