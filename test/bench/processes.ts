import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const script = (name: string) => new URL(`./${name}.js`, import.meta.url).pathname;

/** Starts a script from this folder that prints its port and serves until it is killed. */
export async function startListening(name: string, ...args: string[]): Promise<{ port: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [script(name), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { port: String(line).trim(), child };
}

/** Runs a script from this folder and returns its output. */
export async function runScript(name: string, ...args: (string | number)[]): Promise<string> {
  const { stdout } = await run(process.execPath, [script(name), ...args.map(String)], {
    maxBuffer: 1e8,
    timeout: 600_000,
  });
  return stdout;
}

/** The wall time of a shell command, and the CPU time of everything it started. */
export async function timeShell(command: string): Promise<{ ms: number; cpuMs: number }> {
  const started = performance.now();
  const { stdout } = await run('bash', [
    '-c',
    `set -o pipefail; TIMEFORMAT='%U %S'; { time { ${command}; } 2>&3; } 3>&2 2>&1`,
  ]);
  const ms = performance.now() - started;
  const [user = 0, system = 0] = stdout.trim().split(/\s+/).slice(-2).map(Number);
  return { ms, cpuMs: (user + system) * 1000 };
}

export async function isInstalled(command: string): Promise<boolean> {
  return run(command, ['--version']).then(
    () => true,
    () => false,
  );
}
