import { openQueue } from '../../src/jobs/index.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/index.ts';
import { openStore } from '../../src/store/index.ts';
import { addressOf, executeAsAdmin, queryAsAdmin, type ServerAddress } from './postgres-address.ts';
import { makePostgresFolder } from './postgres-folder.ts';

export interface PostgresServer {
  address: ServerAddress;
  stop(): Promise<void>;
}

/** Starts a server, or uses that of TEST_DATABASE_URL, and creates a template database with the bot's tables. */
export async function startServer(): Promise<PostgresServer> {
  const url = process.env.TEST_DATABASE_URL;
  const server = url === undefined || url === '' ? await startOwnServer() : useServer(url);
  try {
    await makeTemplate(server.address);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function startOwnServer(): Promise<PostgresServer> {
  const folder = await makePostgresFolder();
  try {
    // Test data doesn't have to survive a power failure. Elsewhere, fsync stays on.
    const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
    // Several test files run at once, each with a few bots.
    const settings = { ...unsafe, max_connections: '500', autovacuum: 'off' };
    const server = await startEmbeddedPostgres({ dataDir: folder.path, settings });
    const { host, port, user } = server.connection;
    const template = 'dropline_template';
    return {
      address: {
        admin: { host, port, user: 'postgres', database: 'postgres' },
        owner: user,
        template,
        prefix: 'test_',
      },
      stop: () => server.stop().finally(() => folder.remove()),
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

function useServer(url: string): PostgresServer {
  const prefix = `test_${process.pid}_`;
  const address = { admin: { connectionString: url }, template: `${prefix}template`, prefix };
  return { address, stop: () => dropDatabases(address) };
}

async function dropDatabases(address: ServerAddress): Promise<void> {
  const query = `select datname as name from pg_database where datname like '${address.prefix}%'`;
  for (const { name } of await queryAsAdmin<{ name: string }>(address, query))
    await executeAsAdmin(address, `drop database if exists ${name} with (force)`);
}

async function makeTemplate(address: ServerAddress): Promise<void> {
  const { owner, template } = address;
  await executeAsAdmin(address, `create database ${template}${owner === undefined ? '' : ` owner ${owner}`}`);
  const { connection } = addressOf(address, template);
  const store = await openStore({ connection, secretKeys: [Buffer.alloc(32)] });
  const queue = await openQueue(store.pool);
  await queue.close();
  // Each copy creates its own secret, encrypted with its own key.
  await store.pool.query('delete from dropline.keyv');
  await store.close();
}
