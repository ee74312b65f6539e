import { createServer } from 'node:http';
import type { WorkerOptions } from '../programs/features-worker.ts';
import type { FeaturesSetup, SourceFiles } from './features.ts';
import type { Programs, RunningProgram } from './program.ts';
import { serve } from './serve.ts';

/** Serves source files to other processes. */
export async function serveSourceFiles(files: SourceFiles): Promise<string> {
  const server = createServer(async ({ url = '' }, response) => {
    const [, action, id = ''] = url.split('/');
    const file = await files.inspect('', decodeURIComponent(id));
    if (file === undefined) response.writeHead(404).end();
    else if (action === 'look') response.end(JSON.stringify(file));
    else (await files.open('', decodeURIComponent(id))).pipe(response);
  });
  return serve(server);
}

/** Creates worker processes on the setup's database. `runDuring` replaces each killed one until the work is done. */
export async function createWorkerProcesses(
  programs: Programs,
  setup: FeaturesSetup,
  options: Partial<WorkerOptions> = {},
) {
  const { database, secretKeys, sourceFiles } = setup;
  const secretKey = secretKeys[0]?.toString('base64') ?? '';
  const all: WorkerOptions = {
    connection: database.connection,
    secretKey,
    sources: await serveSourceFiles(sourceFiles),
    ...options,
  };
  const start = () => programs.run('test/programs/features-worker.ts', [JSON.stringify(all)]);
  let kills = 0;
  let isStopped = false;
  const running = new Set<RunningProgram>();
  async function keepWorkerRunning(): Promise<void> {
    while (!isStopped) {
      const program = start();
      running.add(program);
      const { signal } = await program.ended;
      running.delete(program);
      if (signal === 'SIGKILL') kills += 1;
      else if (!isStopped) throw new Error(`a worker exited: ${program.printed()}`);
    }
  }
  return {
    start,
    kills: () => kills,
    async runDuring(work: Promise<unknown>, count: number): Promise<void> {
      const keeping = Promise.all(Array.from({ length: count }, keepWorkerRunning));
      try {
        await Promise.race([work, keeping]);
      } finally {
        isStopped = true;
        for (const { child } of running) child.kill('SIGTERM');
      }
      await keeping;
    },
  };
}
