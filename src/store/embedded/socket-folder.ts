import { chmod, chown, lstat, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Identity } from './account.ts';
import { EmbeddedPostgresError } from './errors.ts';
import type { Folders } from './folders.ts';
import { readLockFile } from './postmaster.ts';

/** There is no TCP port; this is only part of the socket's name. */
export const port = 5432;

/** The shortest limit of the supported systems (macOS: 104 with the terminating zero). */
const longestSocketPath = 103;

/**
 * Opens the folder for the socket, which only the account that runs Postgres can enter. It is in the data folder. If
 * that path is too long for a socket, it is a temporary folder with an unpredictable name: that of the running or
 * killed server, or else a new one.
 */
export async function openSocketFolder(folders: Folders, self: Identity): Promise<string> {
  const server = folders.account ?? self;
  const preferred = join(folders.root, 'run');
  if (fits(preferred)) {
    await mkdir(preferred, { mode: 0o700 }).catch(allowExisting);
    return makePrivate(preferred, server);
  }
  const used = (await readLockFile(folders.cluster))?.socketFolder;
  if (used !== undefined && (await isPrivate(used, server))) return used;
  return makePrivate(await mkdtemp(join(await findShortTemporaryFolder(folders.root), 'dropline-')), server);
}

/** Deletes a temporary folder. Call it only when no server is running. */
export async function removeSocketFolder(folders: Folders, folder: string): Promise<void> {
  if (folder !== join(folders.root, 'run')) await rm(folder, { recursive: true, force: true });
}

async function findShortTemporaryFolder(root: string): Promise<string> {
  for (const candidate of [tmpdir(), '/tmp']) {
    const folder = await realpath(candidate).catch(() => undefined);
    if (folder !== undefined && fits(join(folder, 'dropline-XXXXXX'))) return folder;
  }
  throw new EmbeddedPostgresError(
    `${root} is too long a name for a Unix socket, and so is that of the folder for temporary files: set DATA_DIR to a shorter one.`,
  );
}

const fits = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= longestSocketPath;

async function makePrivate(folder: string, server: Identity): Promise<string> {
  const status = await lstat(folder);
  if (!status.isDirectory()) throw new EmbeddedPostgresError(`${folder} is not a folder.`);
  await chmod(folder, 0o700);
  if (status.uid !== server.uid) await chown(folder, server.uid, server.gid);
  return folder;
}

/** Checks the owner too: once the system clears its temporary files, another account can create the same folder. */
async function isPrivate(folder: string, server: Identity): Promise<boolean> {
  const status = await lstat(folder).catch(() => undefined);
  return status?.isDirectory() === true && status.uid === server.uid && (status.mode & 0o077) === 0;
}

function allowExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
