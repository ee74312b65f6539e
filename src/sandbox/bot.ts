import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SandboxProblem } from './problem.ts';

export interface Bot {
  /** Resolves when it has ended, whoever wanted it to. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * The bot as it runs in production, as a process of its own. It gets no environment but this one: a DATABASE_URL or a
 * token of whoever tries the sandbox must not get into it.
 */
export async function startBot(variables: Record<string, string>, logFile: string): Promise<Bot> {
  const [leash, main] = ['./leash.js', '../main.js'].map((path) => new URL(path, import.meta.url));
  const child = spawn(process.execPath, ['--import', String(leash), fileURLToPath(main ?? ''), 'all'], {
    env: { HOME: homedir(), TMPDIR: tmpdir(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const log = createWriteStream(logFile);
  let complaint = '';
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false }).on('error', () => {});
  child.stderr?.on('data', (chunk) => (complaint += chunk));
  const ended = once(child, 'close').then(() => void log.end());

  async function ready(): Promise<void> {
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      if (line.includes('"msg":"ready"')) return;
    }
    await ended;
    throw new SandboxProblem(`The bot does not start:\n${complaint.trim() || `see ${logFile}`}`);
  }

  await ready();
  return {
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
