import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SandboxProblem } from './problem.ts';

export interface Bot {
  pid: number;
  /** Resolves when it has ended, whoever wanted it to. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

export interface BotOptions {
  port: number;
  variables: Record<string, string>;
  logFile: string;
}

/**
 * The bot as it runs in production, as a process of its own. It gets no environment but this one: a DATABASE_URL or a
 * token of whoever tries the sandbox must not get into it.
 */
export async function startBot({ port, variables, logFile }: BotOptions): Promise<Bot> {
  const leash = new URL('./leash.js', import.meta.url);
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  // Not by a pipe: if this process is killed, the bot still has to say that it stops, and would break off at that.
  const log = await open(logFile, 'w');
  const child = spawn(process.execPath, ['--import', String(leash), main, 'all'], {
    env: { HOME: homedir(), TMPDIR: tmpdir(), PORT: String(port), HOST: '127.0.0.1', ...variables },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  await log.close();
  let isOver = false;
  const ended = once(child, 'exit').then(() => {
    isOver = true;
  });
  while (!(await isReady(port))) {
    if (isOver) throw new SandboxProblem(`The bot does not start:\n${await complaintIn(logFile)}`);
    await sleep(50);
  }
  return {
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

/** What it said in words, beside the lines of its log. */
async function complaintIn(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('{')).join('\n') || `see ${logFile}`;
}
