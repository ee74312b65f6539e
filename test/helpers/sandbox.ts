import { onTestFinished } from 'vitest';
import { makePostgresFolder } from './postgres-folder.ts';
import type { Programs, RunningProgram } from './program.ts';

export interface SandboxRun extends RunningProgram {
  folder: string;
  /** The page's address, once it is available. */
  url(): Promise<string>;
  /** Sends SIGINT, like Ctrl-C. */
  interrupt(): RunningProgram['ended'];
}

/** `npm run sandbox` in its own folder, on three free ports. */
export async function runSandbox(programs: Programs, args: string[] = [], folder?: string): Promise<SandboxRun> {
  const own = folder === undefined ? await makePostgresFolder() : undefined;
  const path = folder ?? own?.path ?? '';
  const program = programs.run('src/sandbox/main.ts', ['--port', '0', '--folder', path, ...args], {}, 'SIGINT');
  const interrupt = () => {
    program.child.kill('SIGINT');
    return program.ended;
  };
  onTestFinished(async () => own?.remove());
  return {
    ...program,
    folder: path,
    interrupt,
    async url() {
      for (;;) {
        const found = /Open +(\S+)/.exec(await program.line())?.[1];
        if (found !== undefined) return found;
      }
    },
  };
}
