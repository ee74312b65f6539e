import { onTestFinished } from 'vitest';
import { makePostgresFolder } from './postgres-folder.ts';
import type { Programs, RunningProgram } from './program.ts';

export interface SandboxRun extends RunningProgram {
  folder: string;
  /** Resolves with the page's address once it is available. */
  url(): Promise<string>;
  /** Sends SIGINT, like Ctrl-C. */
  interrupt(): RunningProgram['ended'];
}

/** Runs the sandbox like `npm run sandbox`, on free ports, in `folder` or in a temporary folder. */
export async function runSandbox(programs: Programs, args: string[] = [], folder?: string): Promise<SandboxRun> {
  const ownFolder = folder === undefined ? await makePostgresFolder() : undefined;
  const path = folder ?? ownFolder?.path ?? '';
  const program = programs.run('src/sandbox/main.ts', ['--port', '0', '--folder', path, ...args], {}, 'SIGINT');
  const interrupt = () => {
    program.child.kill('SIGINT');
    return program.ended;
  };
  onTestFinished(async () => ownFolder?.remove());
  return {
    ...program,
    folder: path,
    interrupt,
    async url() {
      for (;;) {
        const found = /Open +(\S+)/.exec(await program.nextLine())?.[1];
        if (found !== undefined) return found;
      }
    },
  };
}
