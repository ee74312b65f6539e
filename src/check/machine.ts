import { lookup } from 'node:dns/promises';
import type { StatsFs } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { type Config, variableNames } from '../config.ts';
import { envFilePath, readEnvFile } from '../lib/env-file.ts';
import { failed, ok, type Result, skipped } from './result.ts';

/** Checks that only the owner can read the file `.env`, and that it has no unknown names. */
export async function envFile(env: NodeJS.ProcessEnv): Promise<Result> {
  const path = envFilePath(env);
  const values = path === undefined ? undefined : readEnvFile(path);
  if (path === undefined || values === undefined) return skipped('not used');
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) return failed(`Others can read ${path}`, `chmod 600 ${path}`);
  const unknown = Object.keys(values).filter((name) => !variableNames.includes(name));
  if (unknown.length > 0)
    return failed(
      `${path} has unknown names: ${unknown.join(', ')}`,
      'Correct or remove them; manifest/configuration.md lists all.',
    );
  return ok(path);
}

/** Checks that the host names in EXCHANGE_HOSTS resolve. Skips patterns and IP addresses. */
export async function serviceHosts({ exchange }: Config): Promise<Result> {
  if (exchange.hosts === undefined) return skipped("EXCHANGE_HOSTS isn't set: any public https host can be connected");
  const names = exchange.hosts.map((host) => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''));
  const hostNames = names.filter((name) => !name.includes('*') && isIP(name) === 0);
  const addresses = await Promise.all(hostNames.map((name) => lookup(name).catch(() => undefined)));
  const unresolved = hostNames.filter((_, index) => addresses[index] === undefined);
  if (unresolved.length > 0)
    return failed(`No address for ${unresolved.join(', ')}`, 'Correct EXCHANGE_HOSTS, or the DNS of this machine.');
  return hostNames.length === 0
    ? skipped(`${exchange.hosts.join(', ')}: nothing to look up`)
    : ok(hostNames.join(', '));
}

/** A new embedded Postgres takes 60 MB. The rest is for the stored data, which grows. */
const neededBytes = 1_000_000_000;

export async function diskSpace({ database }: Config): Promise<Result> {
  if (!('dataDir' in database)) return skipped('the data is in another Postgres');
  const { bavail, bsize } = await statfsAbove(resolve(database.dataDir));
  const message = `${((bavail * bsize) / 1e9).toFixed(1)} GB free for ${database.dataDir}`;
  return bavail * bsize >= neededBytes
    ? ok(message)
    : failed(message, 'Free 1 GB, or set DATA_DIR to a folder on another disk.');
}

/** Reads the folder or its closest existing parent, because the data folder is created at the first start. */
async function statfsAbove(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return statfsAbove(dirname(folder));
  }
}

export function metricsPort({ metrics }: Config): Result {
  return metrics === undefined
    ? skipped("METRICS_PORT isn't set: no metrics")
    : ok(`http://${metrics.host}:${metrics.port}/metrics`);
}

export function supportContact({ support }: Config): Result {
  return support === undefined ? skipped("SUPPORT_CONTACT isn't set: Home shows none") : ok(support);
}
