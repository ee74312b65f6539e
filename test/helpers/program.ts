import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll } from 'vitest';

const project = resolve(import.meta.dirname, '../..');
const compiler = join(project, 'node_modules', '.bin', 'tsc');

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
  /** Runs `src/<name>.ts` or `test/programs/<name>.ts` as a process of its own, which does not outlive the test. */
  run(file: string, args: string[], env?: NodeJS.ProcessEnv): RunningProgram;
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

/** The scripts of the workspace's page, compiled for browsers. */
export async function compilePage(folder: string): Promise<void> {
  const config = 'src/sandbox/slack/page/client';
  await promisify(execFile)(compiler, ['-p', config, '--noCheck', '--outDir', folder], { cwd: project });
}

/** Call it at the top of a test file: the project is built for Node once, in a folder that goes with the last test. */
export function usePrograms({ withPage = false } = {}): Programs {
  let folder = '';
  const running = new Set<RunningProgram>();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dropline-programs-'));
    const args = ['-p', 'tsconfig.json', '--noCheck', '--noEmit', 'false', '--outDir', folder];
    await promisify(execFile)(compiler, args, { cwd: project });
    if (withPage) await compilePage(join(folder, 'src/sandbox/slack/page/client'));
    for (const name of ['node_modules', 'manifest']) await symlink(join(project, name), join(folder, name));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  }, 60_000);
  afterEach(async () => {
    for (const { child, ended } of running) {
      child.kill('SIGKILL');
      await ended;
    }
    running.clear();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    run(file, args, env = {}) {
      const program = runScript(join(folder, file.replace(/\.ts$/, '.js')), args, env, folder);
      running.add(program);
      return program;
    },
  };
}
