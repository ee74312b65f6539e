import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, inject } from 'vitest';

export interface RunningProgram {
  child: ChildProcess;
  /** The next line that it prints; rejects when it ends first. */
  line(): Promise<string>;
  /** What it has printed so far, to either stream. */
  printed(): string;
  /** Resolves when it has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface Programs {
  /**
   * Runs `src/<name>.ts` or `test/programs/<name>.ts` as a process of its own, which does not outlive the test: it is
   * killed then, or ended by another signal where it has something to put away.
   */
  run(file: string, args: string[], env?: NodeJS.ProcessEnv, last?: NodeJS.Signals): RunningProgram;
}

/** Runs a script as a process of its own, which knows nothing of our environment; whoever runs it ends it. */
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

/** Call it at the top of a test file: the project is there as a build would make it. */
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
