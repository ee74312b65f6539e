import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { SandboxProblem } from './problem.ts';

export interface LockedFolder {
  /** The folder of the bot's Postgres. */
  data: string;
  logFile: string;
  /** Saves the page's URL, so that a second start can print it. */
  saveUrl(url: string): Promise<void>;
  /** How far the clock was ahead when the sandbox last ran, in milliseconds. */
  readPassed(): Promise<number>;
  savePassed(ms: number): Promise<void>;
  /** How to connect to the bot's running Postgres as its superuser. */
  readDatabaseAddress(): Promise<{ host: string; port: number; user: string; database: string }>;
  /** Deletes the bot's data. */
  reset(): Promise<void>;
  /** Renames the folder of the bot's data, so that the next bot starts without data. Resolves with the new path. */
  archive(): Promise<string>;
  release(): Promise<void>;
}

/** Not in the project folder: if root runs the sandbox, Postgres runs as another user, who can't read root's home. */
export function defaultFolder(): string {
  return join(tmpdir(), `dropline-sandbox-${userInfo().username}`);
}

/** Locks the folder for one sandbox: two bots on the same data would process each other's work. */
export async function lockFolder(path: string): Promise<LockedFolder> {
  const lockFile = join(path, 'running.json');
  const data = join(path, 'data');
  const passedFile = join(path, 'passed-ms');
  try {
    await mkdir(path, { recursive: true });
    await createLockFile(lockFile);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new SandboxProblem(`${path} cannot be written to (${error.message}). Choose another folder with --folder.`);
  }
  return {
    data,
    logFile: join(path, 'bot.log'),
    saveUrl: (url) => writeFile(lockFile, JSON.stringify({ pid: process.pid, url })),
    readPassed: async () => Number(await readFile(passedFile, 'utf8').catch(() => 0)),
    savePassed: (ms) => writeFile(passedFile, String(ms)),
    async readDatabaseAddress() {
      const [, , , port, host = ''] = await readPostmasterFile(data);
      return { host, port: Number(port), user: 'postgres', database: 'dropline' };
    },
    async reset() {
      const pid = Number((await readPostmasterFile(data))[0]);
      if (isAlive(pid)) {
        throw new SandboxProblem(
          `A Postgres of an earlier run still works in ${data} (process ${pid}). Start the sandbox without --reset and end it with Ctrl-C; that ends Postgres too.`,
        );
      }
      for (const file of [data, passedFile]) await rm(file, { recursive: true, force: true });
    },
    async archive() {
      const path = `${data}-${new Date().toISOString().replaceAll(':', '-')}`;
      await rename(data, path);
      return path;
    },
    release: () => rm(lockFile, { force: true }),
  };
}

async function createLockFile(lockFile: string): Promise<void> {
  const file = await open(lockFile, 'wx').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    await requireStale(lockFile);
    await rm(lockFile, { force: true });
    return open(lockFile, 'wx');
  });
  await file.writeFile(JSON.stringify({ pid: process.pid }));
  await file.close();
}

/** Throws if the process that wrote the lock file still runs; if it was killed, the file is stale. */
async function requireStale(lockFile: string): Promise<void> {
  const text = await readFile(lockFile, 'utf8').catch(() => '');
  const { pid = 0, url = 'it is about to print its address' } = parseLockFile(text);
  if (!isAlive(pid)) return;
  throw new SandboxProblem(
    `The sandbox is running already: ${url} (process ${pid}). Open that, or end it with Ctrl-C where it runs; for a second one choose --folder and --port. If process ${pid} is something else, remove ${lockFile}.`,
  );
}

function parseLockFile(text: string): { pid?: number; url?: string } {
  try {
    return JSON.parse(text) as { pid: number; url: string };
  } catch {
    return {};
  }
}

/** The lines of the file that a running Postgres keeps: pid, data folder, start time, port, socket folder, … */
async function readPostmasterFile(data: string): Promise<string[]> {
  const text = await readFile(join(data, 'cluster', 'postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n');
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
