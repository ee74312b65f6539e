import { chmod, lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { closedFolder } from './access.ts';
import { type Account, chooseAccount, type Self } from './account.ts';
import { EmbeddedPostgresError } from './errors.ts';

export interface Folders {
  /** The real path of the given folder, so that all processes use the same name. */
  root: string;
  /** The data that initdb creates and Postgres keeps. */
  cluster: string;
  /** The account that runs Postgres, if it isn't our own. */
  account: Account | undefined;
}

/** Creates the data folder if it is missing, and checks that the account that runs Postgres can reach it. */
export async function openDataDir(dataDir: string, self: Self): Promise<Folders> {
  const root = await makeDataDir(resolve(dataDir), self);
  const cluster = join(root, 'cluster');
  const owner = await lstat(cluster).catch(() => undefined);
  const account = await chooseAccount(self, owner);
  const server = account ?? self;
  if (owner !== undefined && (owner.uid !== server.uid || !owner.isDirectory())) {
    throw new EmbeddedPostgresError(
      'wrong-owner',
      `${cluster} is not a folder of ${account?.name ?? `uid ${self.uid}`}, which is to run Postgres: give it to that account with chown -R, or start the bot as its owner (uid ${owner.uid}).`,
    );
  }
  const closed = account === undefined ? undefined : await closedFolder(root, account);
  if (account !== undefined && closed !== undefined) {
    throw new EmbeddedPostgresError(
      'folder-closed',
      `Postgres does not run as root but as ${account.name}, which may not enter ${closed}: run chmod o+x ${closed}, or set DATA_DIR to a folder such as /var/lib/dropline.`,
    );
  }
  // A volume can change the mode of everything on it, and Postgres refuses data that others can read.
  if (owner !== undefined) await chmod(cluster, 0o700);
  return { root, cluster, account };
}

/** Others can pass through folders that root creates, whatever the umask; the folders inside are private. */
async function makeDataDir(path: string, self: Self): Promise<string> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first !== undefined && self.uid === 0) {
    for (let made = path; ; made = dirname(made)) {
      await chmod(made, 0o711);
      if (made === first) break;
    }
  }
  return realpath(path);
}

/** Deletes what unfinished starts left behind. A start that is still running is younger than an hour. */
export async function removeLeftovers(folder: string, isLeftover: (name: string) => boolean): Promise<void> {
  const hourAgo = Date.now() - 3_600_000;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const unfinished = name.startsWith('.unfinished-') && (await lstat(path)).mtimeMs < hourAgo;
    if (unfinished || isLeftover(name)) await rm(path, { recursive: true, force: true });
  }
}
