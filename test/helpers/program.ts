import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, inject } from 'vitest';
import { roles } from '../../src/config.ts';
import { checkLogLines } from './log-lines.ts';

export interface RunningProgram {
  child: ChildProcess;
  /** Resolves with the next line that the program prints to stdout. Rejects if it ends first. */
  nextLine(): Promise<string>;
  /** Returns everything printed so far, to stdout or stderr. */
  printed(): string;
  /** Returns the complete lines printed so far to stdout. */
  printedLines(): string[];
  /** Resolves when the program has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface Programs {
  /**
   * Runs a file of `src` or `test/programs` in its own process. After the test it gets `stopSignal`, by default
   * SIGKILL.
   */
  run(file: string, args: string[], env?: NodeJS.ProcessEnv, stopSignal?: NodeJS.Signals): RunningProgram;
}

/** Runs a script in its own process, with only PATH and HOME of our environment. The caller has to end it. */
export function runScript(
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  cwd: string = dirname(script),
): RunningProgram {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [script, ...args], { cwd, env: { PATH, HOME, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    printed: () => text,
    printedLines: () => output.split('\n').slice(0, -1),
    async nextLine() {
      const { done, value } = await lines.next();
      if (done) throw new Error(`the program ended: ${text}`);
      return value;
    },
    ended: once(child, 'exit').then(([code, signal]) => ({ code, signal })),
  };
}

/** Call this at the top of a test file. Runs programs from the compiled project. */
export function usePrograms(): Programs {
  const running = new Map<RunningProgram, NodeJS.Signals>();
  const bots = new Set<RunningProgram>();
  afterEach(async () => {
    for (const [{ child, ended }, stopSignal] of running) {
      child.kill(stopSignal);
      await ended;
    }
    const logs = [...bots].map(({ printedLines }) => printedLines());
    running.clear();
    bots.clear();
    for (const lines of logs) checkLogLines(lines);
  });
  return {
    run(file, args, env = {}, stopSignal = 'SIGKILL') {
      const folder = inject('programs');
      const program = runScript(join(folder, file.replace(/\.ts$/, '.js')), args, env, folder);
      running.set(program, stopSignal);
      // Other programs print their own lines, like figures, between those of the log.
      const isBot = file === 'src/main.ts' && roles.some((role) => role === args[0]) && !args.includes('--help');
      if (isBot) bots.add(program);
      return program;
    },
  };
}

/** Runs a command of the bot to its end. */
export function runMain(programs: Programs) {
  return async (args: string[], env: NodeJS.ProcessEnv = {}, input = '') => {
    const { child, ended, printed } = programs.run('src/main.ts', args, env);
    child.stdin?.end(input);
    return { code: (await ended).code, printed: printed() };
  };
}
