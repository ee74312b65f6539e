import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../config.ts';

export interface StartedBot {
  /** Resolves when Slack is heard; rejects with the bot's own message if it ends first. */
  heard: Promise<void>;
  /** Resolves when the bot listens, which over HTTPS is before Slack is heard. */
  ready: Promise<void>;
  ended: Promise<number>;
}

/** Starts the bot as `npm start` does, in the foreground: Ctrl-C reaches it and ends it. */
export function startBot(isSocketMode: boolean): StartedBot {
  const [, main = ''] = process.argv;
  // The lines that are waited for are of this level.
  const child = spawn(process.execPath, [main, 'all'], {
    env: childEnvironment({ LOG_LEVEL: 'info' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let problems = '';
  const said = new Map<string, () => void>();
  const untilSaid = (message: string) => new Promise<void>((resolve) => said.set(message, resolve));
  const ready = untilSaid('ready');
  // In Socket Mode the bot is ready when Slack has accepted its connection.
  const heard = isSocketMode ? ready : untilSaid('heard from slack');
  child.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg = '', level = '' } = parse(line);
    said.get(msg)?.();
    if (level === 'warn' || level === 'error') process.stderr.write(`${line}\n`);
  });
  const ended = once(child, 'exit').then(([code]) => Number(code ?? 1));
  const failed = ended.then(() => {
    throw new Error(problems.trim() || 'Dropline ended. Its messages are above.');
  });
  failed.catch(() => {});
  return { ready: Promise.race([ready, failed]), heard: Promise.race([heard, failed]), ended };
}

function parse(line: string): { msg?: string; level?: string } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
