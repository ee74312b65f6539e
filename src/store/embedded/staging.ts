import { randomBytes } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface Binaries {
  /** Contains `bin`, `lib` and `share`; the programs look for the other two next to `bin`. */
  folder: string;
  version: string;
}

const prefix = 'binaries-';

/** npm packages can't contain links, so the package lists them: `source` is the file, `target` the link to create. */
export async function addLibraryLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    // If a link can't be created or already exists, running the programs shows whether that matters.
    await symlink(basename(source), join(folder, '..', target)).catch(() => undefined);
  }
}

/**
 * A copy of the binaries that every account can read and only ours can write. An earlier copy is used if it is ours: in
 * a folder that others can write to, another account could have put programs under this name.
 */
export async function stageBinaries(binaries: Binaries, into: string): Promise<string> {
  const staged = join(into, `${prefix}${binaries.version}`);
  if (await isOurs(staged)) return join(staged, 'native');
  await rm(staged, { recursive: true, force: true });
  const unfinished = join(into, `.unfinished-${prefix}${randomBytes(8).toString('hex')}`);
  try {
    await copyFolder(binaries.folder, join(unfinished, 'native'));
    await addLibraryLinks(join(unfinished, 'native'));
    await chmod(unfinished, 0o755);
    await rename(unfinished, staged);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process might have created the copy first.
    if (!(await isOurs(staged))) throw error;
  }
  return join(staged, 'native');
}

/** Deletes a copy whose programs don't run. */
export const removeCopy = (binariesFolder: string) => rm(dirname(binariesFolder), { recursive: true, force: true });

/**
 * Deletes copies of other versions, and what interrupted starts left behind: unfinished folders over an hour old,
 * because a start never takes that long. Call it only while no server can be using the copies.
 */
export async function removeLeftovers(binariesFolder: string, root: string): Promise<void> {
  const current = basename(dirname(binariesFolder));
  const hourAgo = Date.now() - 3_600_000;
  for (const name of await readdir(root)) {
    const path = join(root, name);
    const isUnfinished = name.startsWith('.unfinished-') && (await lstat(path)).mtimeMs < hourAgo;
    const isOtherCopy = name.startsWith(prefix) && name !== current;
    if (isUnfinished || isOtherCopy) await rm(path, { recursive: true, force: true });
  }
}

async function isOurs(folder: string): Promise<boolean> {
  const status = await lstat(folder).catch(() => undefined);
  return status?.isDirectory() === true && status.uid === process.geteuid?.() && (status.mode & 0o022) === 0;
}

/** Sets modes instead of copying them: the umask of `npm install` can exclude other accounts. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const [source, copy] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) return copyFolder(source, copy);
      if (!entry.isFile() || entry.name.endsWith('.a')) return;
      await copyFile(source, copy);
      await chmod(copy, basename(from) === 'bin' ? 0o755 : 0o644);
    }),
  );
}
