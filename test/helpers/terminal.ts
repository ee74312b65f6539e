import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { inject, onTestFinished } from 'vitest';

/** `script` of util-linux makes a pseudo-terminal; that of the BSDs has other options. */
export const hasTerminal = (() => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8', stdio: 'pipe' }).includes('util-linux');
  } catch {
    return false;
  }
})();
export const noTerminal = 'script (util-linux) not found';

export const enter = '\r';
export const down = '\u001b[B';
export const ctrlC = '\u0003';

export interface Terminal {
  /** Everything shown so far, without control sequences. */
  shown(): string;
  /** Waits until this text appears after the last text that a call waited for. */
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
  const shown = () => stripVTControlCharacters(output).replaceAll('\r', '');
  const terminal: Terminal = {
    shown,
    ended,
    types: (keys) => void child.stdin.write(keys),
    async sees(text) {
      // Long enough for a busy machine, short enough to show the screen before the test's own time is over.
      for (const end = Date.now() + 40_000; ; ) {
        const rest = shown().slice(seen);
        const found = typeof text === 'string' ? rest.indexOf(text) : rest.search(text);
        if (found >= 0) {
          seen += found + 1;
          return;
        }
        if (child.exitCode !== null || Date.now() > end) throw new Error(`did not show ${text}:\n${shown()}`);
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
