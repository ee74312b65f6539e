import type { Config } from '../config.ts';
import { bounds } from '../lib/bounds.ts';
import { hasEmbeddedData, startEmbeddedPostgres } from '../store/embedded/index.ts';
import { DatabaseProblem, openProbe, otherVersion, type Probe } from '../store/index.ts';
import { readSecretKey } from '../store/secret-key.ts';
import { skewResult } from './clock.ts';
import { failed, ok, type Result, reasonOf, skipped } from './result.ts';

/** The database to check. `probe` is undefined if the database can't be reached or doesn't exist yet. */
export interface CheckedDatabase {
  result: Result;
  probe: Probe | undefined;
  close(): Promise<void>;
}

const closeNothing = async () => {};

/** Connects to the database without changing it. Starts an embedded Postgres that has data; `close` stops it. */
export async function openCheckedDatabase(database: Config['database']): Promise<CheckedDatabase> {
  try {
    return await ('url' in database ? openByUrl(database.url) : openEmbedded(database.dataDir));
  } catch (error) {
    const result =
      error instanceof DatabaseProblem
        ? failed(error.problem, error.fix)
        : failed(`The database can't be used: ${reasonOf(error)}`, 'Fix this, then check again.');
    return { result, probe: undefined, close: closeNothing };
  }
}

async function openByUrl(url: string): Promise<CheckedDatabase> {
  const probe = await openProbe({ connectionString: url });
  const { host, pathname } = new URL(url);
  return { result: ok(`reached ${host || 'the local socket'}${pathname}`), probe, close: probe.close };
}

async function openEmbedded(dataDir: string): Promise<CheckedDatabase> {
  if (!(await hasEmbeddedData(dataDir)))
    return {
      result: skipped(`embedded: it is created in ${dataDir} at the first start`),
      probe: undefined,
      close: closeNothing,
    };
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    const probe = await openProbe(server.connection);
    const close = () => probe.close().finally(server.stop);
    return { result: ok(`embedded, in ${dataDir}`), probe, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

export async function databaseVersion(probe: Probe): Promise<Result> {
  const version = await probe.readVersion();
  if (version < 14) return failed(`This is Postgres ${version}`, 'Upgrade it to Postgres 14 or later.');
  const schema = await probe.readSchema();
  if (schema === undefined) return failed(otherVersion.problem, otherVersion.fix);
  const { version: data, supported } = schema;
  const upgrade = data > 0 && data < supported ? '; the next start upgrades the data: back it up first' : '';
  return ok(`Postgres ${version}${data === 0 ? ', no data yet' : `, data at version ${data}${upgrade}`}`);
}

export async function databaseRights(probe: Probe): Promise<Result> {
  const missing = await probe.findMissingRights();
  if (missing.length === 0) return ok('can create and change its tables');
  const [rights = [], commands = []] = [0, 1].map((part) => missing.map((text) => text.split(': ')[part] ?? ''));
  return failed(`The account can't ${rights.join(', nor ')}`, `As an administrator: ${commands.join('; ')}`);
}

/** The connections of the pool, of the locks, and those that the job engine opens itself. */
const connectionsPerProcess = bounds.databaseConnections + 5;

export async function databaseConnections(probe: Probe): Promise<Result> {
  const available = await probe.countConnections();
  const message = `${available} available, a process uses up to ${connectionsPerProcess}`;
  return available >= connectionsPerProcess
    ? ok(message)
    : failed(message, 'Raise max_connections, or the limit of this account or database.');
}

export async function keyDecryptsData(probe: Probe, database: Config['database']): Promise<Result> {
  const keys = database.secretKeys ?? ('dataDir' in database ? await readKeyFile(database.dataDir) : []);
  if (keys.length === 0) return skipped('created at the first start');
  // Another version can encrypt in another way, so the right key would look wrong.
  if ((await probe.readSchema()) === undefined) return skipped('not checked with the data of a different version');
  const decrypts = await probe.canDecrypt(keys);
  if (decrypts === false) {
    return failed(
      "SECRET_KEY doesn't decrypt the data",
      'Set the key that the data was encrypted with (without SECRET_KEY: secret.key in DATA_DIR).',
    );
  }
  return ok(decrypts === undefined ? 'no data yet' : 'decrypts the data');
}

async function readKeyFile(dataDir: string): Promise<Buffer[]> {
  const key = await readSecretKey(dataDir);
  return key === undefined ? [] : [key];
}

export async function databaseClock(probe: Probe): Promise<Result> {
  const askedAt = Date.now();
  const databaseTime = await probe.readClock();
  return skewResult(databaseTime - (askedAt + Date.now()) / 2, 'the database');
}
