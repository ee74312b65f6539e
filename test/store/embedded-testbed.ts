import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/store/embedded/index.ts';
import { makePostgresFolder, type PostgresFolder } from '../helpers/postgres-folder.ts';
import { buildProgram } from './embedded-program.ts';

export const isRoot = process.getuid?.() === 0;

export interface Starter {
  pid: number;
  adopted: boolean;
  connection: EmbeddedPostgres['connection'];
  /** Has the process stop its Postgres and exit. */
  stop(): Promise<void>;
  /** Kills the process, like in a crash. */
  kill(): Promise<void>;
}

interface TestbedOptions {
  /** Builds the program before the first test (see `buildProgram`). */
  program?: 'linked' | 'standalone';
}

type SpawnIdentity = { uid?: number; gid?: number };

/** Stops everything that a test has started when the test ends, even if it fails. */
export function createTestbed(options: TestbedOptions = {}) {
  // When all tests run, several servers start at once, each with an initdb.
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of cleanups.splice(0).reverse()) await end();
  });

  let built: PostgresFolder | undefined;
  if (options.program !== undefined) {
    beforeAll(async () => {
      built = await makePostgresFolder();
      await buildProgram(built.path, options.program === 'standalone');
    });
    afterAll(() => built?.remove());
  }

  const spawnProgram = (dataDir: string, mode: 'wait' | 'idle' | 'brief', identity: SpawnIdentity) => {
    const args = [join(built?.path ?? '', 'starter.js'), dataDir, mode];
    const stdio: StdioOptions = ['pipe', 'pipe', 'inherit'];
    const child = spawn(process.execPath, args, { ...identity, cwd: '/', stdio, detached: true });
    cleanups.push(() => end(child, 'SIGKILL'));
    return child;
  };

  return {
    onCleanup: (end: () => Promise<unknown>) => void cleanups.push(end),

    async folder() {
      const folder = await makePostgresFolder();
      cleanups.push(folder.remove);
      return folder.path;
    },

    start(options: EmbeddedPostgresOptions) {
      const starting = startEmbeddedPostgres({ settings: { fsync: 'off' }, ...options });
      // Also stops a server that is ready only after the test has failed.
      cleanups.push(() =>
        starting.then(
          (server) => server.stop(),
          () => undefined,
        ),
      );
      return starting;
    },

    /** A process that starts Postgres and exits when it has nothing else to do. */
    spawnIdle: (dataDir: string) => spawnProgram(dataDir, 'idle', {}),

    /** A process that starts Postgres and stops it immediately. */
    spawnBrief: (dataDir: string) => spawnProgram(dataDir, 'brief', {}),

    /** The error of a process that can't start Postgres. */
    async startError(dataDir: string, identity: SpawnIdentity): Promise<unknown> {
      return JSON.parse(await firstLine(spawnProgram(dataDir, 'wait', identity)));
    },

    async spawnStarter(dataDir: string, identity: SpawnIdentity = {}): Promise<Starter> {
      const child = spawnProgram(dataDir, 'wait', identity);
      const result = JSON.parse(await firstLine(child));
      if (result.connection === undefined) throw new Error(result.message);
      return {
        ...result,
        pid: child.pid,
        async stop() {
          child.stdin?.write('stop\n');
          await end(child, undefined);
        },
        kill: () => end(child, 'SIGKILL'),
      };
    },
  };
}

export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the process ended without output');
}

async function end(child: ChildProcess, signal: NodeJS.Signals | undefined): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  if (signal !== undefined) child.kill(signal);
  await exit;
}

export async function query(connection: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export async function lockFilePid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** A zombie counts as gone: its parent can be slow to reap it, and a container can have no process that does. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) Z/.test(status);
}

export async function until(what: string, condition: () => Promise<boolean>, ms = 30_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`timed out: ${what}`);
    await sleep(20);
  }
}

/** Polls, because a process that has released everything can exist for a moment longer. */
export const expectGone = (pid: number) => until(`process ${pid} is gone`, async () => !(await isAlive(pid)));
