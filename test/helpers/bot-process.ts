import type { Programs, RunningProgram } from './program.ts';

export interface BotProcess extends RunningProgram {
  url: string;
}

/** The bot in a process of its own, as production runs it; resolves when it is ready. */
export async function startBot(programs: Programs, role: string, env: NodeJS.ProcessEnv): Promise<BotProcess> {
  const program = programs.run('src/main.ts', [role], { PORT: '0', HOST: '127.0.0.1', ...env });
  for (;;) {
    const line = JSON.parse(await program.line());
    if (line.msg === 'ready') return { ...program, url: `http://127.0.0.1:${line.port}` };
  }
}

/** Ends it as a process manager does. */
export async function terminate({ child, ended }: RunningProgram): RunningProgram['ended'] {
  child.kill('SIGTERM');
  return ended;
}

export async function readiness(url: string): Promise<{ status: number; database?: boolean; worker?: boolean }> {
  const response = await fetch(`${url}/readyz`);
  const body = (await response.json()) as { database: boolean; worker?: boolean };
  return { status: response.status, ...body };
}
