import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SandboxProblem } from './problem.ts';

export interface Bot {
  pid: number;
  /** Resolves when the process has exited, for any reason. */
  ended: Promise<void>;
  /** Moves the bot's clock, or runs its hourly work (see bot-preload.ts). */
  tell(message: number | 'hourly'): Promise<void>;
  stop(): Promise<void>;
}

export interface BotOptions {
  role?: 'all' | 'web' | 'worker';
  port: number;
  variables: Record<string, string>;
  logFile: string;
  /** How far the bot's clock is ahead. */
  passedMs?: number;
}

/** The bot refuses its data, because a different version of Dropline created it. */
export class OtherVersionProblem extends SandboxProblem {}

/** Part of the bot's message. The sandbox imports nothing from the bot, so it recognises the refusal by its text. */
const otherVersionText = 'created by a different version of Dropline';

/**
 * Starts the bot as in production, in a separate process. It gets only this environment, so a DATABASE_URL, token or
 * `.env` file of the person who runs the sandbox never reaches it.
 */
export async function startBot({ role = 'all', port, variables, logFile, passedMs = 0 }: BotOptions): Promise<Bot> {
  const preload = new URL(`./bot-preload.js?passedMs=${passedMs}`, import.meta.url);
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  // A file, not a pipe: if this process is killed, the bot still logs while it stops, and a broken pipe would interrupt it.
  const log = await open(logFile, 'w');
  const child = spawn(process.execPath, ['--import', String(preload), main, role], {
    env: { ENV_FILE: 'none', HOME: homedir(), TMPDIR: tmpdir(), PORT: String(port), HOST: '127.0.0.1', ...variables },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  await log.close();
  let hasExited = false;
  const ended = once(child, 'exit').then(() => {
    hasExited = true;
  });
  while (!(await isReady(port))) {
    if (hasExited) {
      const errors = await errorsIn(logFile);
      const Problem = errors.includes(otherVersionText) ? OtherVersionProblem : SandboxProblem;
      throw new Problem(`The bot failed to start:\n${errors}`);
    }
    await sleep(50);
  }
  return {
    pid: child.pid ?? 0,
    ended,
    async tell(message) {
      const answered = once(child, 'message');
      child.send(message);
      await Promise.race([answered, ended]);
    },
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

/** The lines that aren't JSON: error messages for people. */
async function errorsIn(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('{')).join('\n') || `see ${logFile}`;
}
