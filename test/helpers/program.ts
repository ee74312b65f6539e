import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, inject } from 'vitest';

export interface RunningProgram {
  child: ChildProcess;
  /** The next line that it prints; rejects if it ends first. */
  line(): Promise<string>;
  /** Everything printed so far, to either stream. */
  printed(): string;
  /** Resolves when the program has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface Programs {
  /**
   * Runs `src/<name>.ts` or `test/programs/<name>.ts` in its own process. It is killed after the test, or ended by the
   * signal `last` if it has to clean up.
   */
  run(file: string, args: string[], env?: NodeJS.ProcessEnv, last?: NodeJS.Signals): RunningProgram;
}

/** Runs a script in its own process without our environment. The caller ends it. */
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
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    printed: () => text,
    async line() {
      const { done, value } = await lines.next();
      if (done) throw new Error(`it ended: ${text}`);
      return value;
    },
    ended: once(child, 'exit').then(([code, signal]) => ({ code, signal })),
  };
}

/** Call it at the top of a test file. Runs programs from the compiled project. */
export function usePrograms(): Programs {
  const running = new Map<RunningProgram, NodeJS.Signals>();
  afterEach(async () => {
    for (const [{ child, ended }, last] of running) {
      child.kill(last);
      await ended;
    }
    running.clear();
  });
  return {
    run(file, args, env = {}, last = 'SIGKILL') {
      const folder = inject('programs');
      const program = runScript(join(folder, file.replace(/\.ts$/, '.js')), args, env, folder);
      running.set(program, last);
      return program;
    },
  };
}
