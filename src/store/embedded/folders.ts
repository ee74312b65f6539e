import { chmod, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Account, chooseAccount, type Identity } from './account.ts';
import { EmbeddedPostgresError } from './errors.ts';

export interface Folders {
  /** The real path of the data folder, so that all processes use the same name. */
  root: string;
  /** The data folder of Postgres, which initdb creates. */
  cluster: string;
  /** The account that runs Postgres, if it isn't our own. */
  account: Account | undefined;
}

/** Creates the data folder if it is missing, and checks that the account that runs Postgres can reach it. */
export async function openDataDir(dataDir: string, self: Identity): Promise<Folders> {
  const root = await createDataDir(resolve(dataDir), self);
  const cluster = join(root, 'cluster');
  const owner = await lstat(cluster).catch(() => undefined);
  const account = await chooseAccount(self, owner);
  const server = account ?? self;
  if (owner !== undefined && (owner.uid !== server.uid || !owner.isDirectory())) {
    throw new EmbeddedPostgresError(
      `${cluster} is not a folder of ${account?.name ?? `uid ${self.uid}`}, which is to run Postgres: give it to that account with chown -R, or start the bot as its owner (uid ${owner.uid}).`,
    );
  }
  const inaccessible = account === undefined ? undefined : await findInaccessibleFolder(root, account);
  if (account !== undefined && inaccessible !== undefined) {
    throw new EmbeddedPostgresError(
      `Postgres does not run as root but as ${account.name}, which cannot enter ${inaccessible}: run chmod o+x ${inaccessible}, or set DATA_DIR to a folder such as /var/lib/dropline.`,
    );
  }
  // A volume can change the mode of everything on it, and Postgres refuses data that others can read.
  if (owner !== undefined) await chmod(cluster, 0o700);
  return { root, cluster, account };
}

/** Other accounts can enter the folders that root creates, whatever the umask. The folders inside are private. */
async function createDataDir(path: string, self: Identity): Promise<string> {
  const firstCreated = await mkdir(path, { recursive: true, mode: 0o700 });
  if (firstCreated !== undefined && self.uid === 0) {
    for (let folder = path; ; folder = dirname(folder)) {
      await chmod(folder, 0o711);
      if (folder === firstCreated) break;
    }
  }
  return realpath(path);
}

/**
 * Finds the first folder from the root down to `path` that this account can't enter. Checks the modes of the folders,
 * because we can't act as the account. Ignores its secondary groups, because Postgres runs without them.
 */
export async function findInaccessibleFolder(
  path: string,
  account: Pick<Account, 'uid' | 'gid'>,
): Promise<string | undefined> {
  const parent = dirname(path);
  const inaccessibleParent = parent === path ? undefined : await findInaccessibleFolder(parent, account);
  if (inaccessibleParent !== undefined) return inaccessibleParent;
  const { uid, gid, mode } = await stat(path);
  const enterBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & enterBit) === 0 ? path : undefined;
}
