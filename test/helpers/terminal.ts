import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { inject, onTestFinished } from 'vitest';

/** Whether `script` of util-linux is installed, which creates a pseudo-terminal. The one of BSD has other options. */
export const hasTerminal = (() => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8', stdio: 'pipe' }).includes('util-linux');
  } catch {
    return false;
  }
})();
export const noTerminalReason = 'script (util-linux) not found';

export const enter = '\r';
export const down = '\u001b[B';
export const ctrlC = '\u0003';

export interface Terminal {
  /** Returns everything shown so far, without control sequences. */
  readOutput(): string;
  /** Waits until this text appears after the text that the previous call found. */
  sees(text: string | RegExp): Promise<void>;
  /** Waits for a question, then types. */
  answers(question: string, keys: string): Promise<void>;
  types(keys: string): void;
  ended: Promise<number>;
}

/** Runs a command of the bot in a pseudo-terminal. */
export function openTerminal(args: string[], env: NodeJS.ProcessEnv): Terminal {
  const { PATH, HOME } = process.env;
  const main = join(inject('programs'), 'src/main.js');
  const command = 'stty cols 120 rows 40; exec "$NODE" "$MAIN" $ARGS';
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH, HOME, TERM: 'xterm', NODE: process.execPath, MAIN: main, ARGS: args.join(' '), ...env },
  });
  let output = '';
  let seen = 0;
  child.stdout.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit').then(([code]) => Number(code));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const readOutput = () => stripVTControlCharacters(output).replaceAll('\r', '');
  const terminal: Terminal = {
    readOutput,
    ended,
    types: (keys) => void child.stdin.write(keys),
    async sees(text) {
      // Long enough for a busy machine, and short enough to show the screen before the test itself times out.
      for (const end = Date.now() + 40_000; ; ) {
        const unread = readOutput().slice(seen);
        const found = typeof text === 'string' ? unread.indexOf(text) : unread.search(text);
        if (found >= 0) {
          seen += found + 1;
          return;
        }
        if (child.exitCode !== null || Date.now() > end) throw new Error(`did not show ${text}:\n${readOutput()}`);
        await sleep(20);
      }
    },
    async answers(question, keys) {
      // clack shows this character in front of an open question.
      await terminal.sees(new RegExp(`◆ {2}${question.replace(/[?()./]/g, '\\$&')}[^\n]*\n│`));
      terminal.types(keys);
    },
  };
  return terminal;
}
