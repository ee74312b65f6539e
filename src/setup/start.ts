import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../config.ts';

/** Starts the bot like `npm start`, in the foreground, so that Ctrl-C ends it. */
export function startBot(isSocketMode: boolean) {
  const [, main = ''] = process.argv;
  // The log messages that this waits for have the level info.
  const child = spawn(process.execPath, [main, 'all'], {
    env: childEnvironment({ LOG_LEVEL: 'info' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errorOutput = '';
  const callbacks = new Map<string, () => void>();
  const waitForLog = (message: string) => new Promise<void>((resolve) => callbacks.set(message, resolve));
  const ready = waitForLog('ready');
  // In Socket Mode the bot is ready when Slack has accepted its connection.
  const reachedBySlack = isSocketMode ? ready : waitForLog('heard from slack');
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg = '', level = '' } = parse(line);
    callbacks.get(msg)?.();
    if (level === 'warn' || level === 'error') process.stderr.write(`${line}\n`);
  });
  const ended = once(child, 'exit').then(([code]) => Number(code ?? 1));
  const failed = ended.then(() => {
    throw new Error(errorOutput.trim() || 'Dropline ended. Its messages are above.');
  });
  failed.catch(() => {});
  return {
    /** Resolves when the bot listens. Over HTTPS, that is before Slack has reached it. */
    ready: Promise.race([ready, failed]),
    /** Resolves when Slack has reached the bot; rejects with the bot's error output if it ends first. */
    reachedBySlack: Promise.race([reachedBySlack, failed]),
    ended,
  };
}

function parse(line: string): { msg?: string; level?: string } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
