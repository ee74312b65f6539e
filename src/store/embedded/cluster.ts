import { randomBytes } from 'node:crypto';
import { chown, lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import type { Folders } from './folders.ts';
import { run } from './run.ts';
import type { Binaries } from './staging.ts';

/** The superuser has no password: the socket is in a folder that only its owner and root can enter. */
export const superuser = 'postgres';

/**
 * Creates the data folder of Postgres unless it exists. initdb writes to a temporary folder, which is then renamed, so
 * `cluster` is always complete, even if we are killed. If two processes do this at once, one fails to rename and uses
 * the other's data.
 */
export async function createCluster(folders: Folders, binaries: Binaries, durable: boolean): Promise<void> {
  if (await exists(folders.cluster)) return requireVersion(folders.cluster, binaries);
  const unfinished = join(folders.root, `.unfinished-cluster-${randomBytes(8).toString('hex')}`);
  try {
    await mkdir(unfinished, { mode: 0o700 });
    if (folders.account !== undefined) await chown(unfinished, folders.account.uid, folders.account.gid);
    const result = await run(
      join(binaries.folder, 'bin', 'initdb'),
      initdbArguments(unfinished, durable),
      folders.account,
    );
    if (!result.ok) {
      throw new EmbeddedPostgresError(
        `Postgres could not create its data in ${folders.root}: ${errorLineOf(result.output)}`,
      );
    }
    await rename(unfinished, folders.cluster);
    await syncFolder(folders.root);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(folders.cluster))) throw error;
  }
}

/** The built-in collation sorts by code point and needs no system locale, so a libc upgrade can't corrupt an index. */
function initdbArguments(folder: string, durable: boolean): string[] {
  return [
    ...['--pgdata', folder, '--username', superuser, '--encoding', 'UTF8'],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
    ...['--auth-local', 'trust', '--auth-host', 'reject', '--no-instructions'],
    ...(durable ? [] : ['--no-sync']),
  ];
}

async function requireVersion(cluster: string, binaries: Binaries): Promise<void> {
  const dataVersion = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  const major = binaries.version.split('.')[0];
  if (dataVersion === major) return;
  throw new EmbeddedPostgresError(
    `${cluster} was created by Postgres ${dataVersion} and this is Postgres ${major}: dump it with the old version and restore it with the new one, or go back to the old version of the bot.`,
  );
}

export function errorLineOf(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const errorLine = lines.findLast((line) => /\b(FATAL|PANIC|error):/i.test(line));
  return errorLine ?? lines.findLast((line) => line !== '') ?? 'it gave no reason.';
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
