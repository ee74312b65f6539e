import type { Services } from '../services.ts';

const maxFailures = 10;

/** Runs the work for each workspace and skips failures. Throws after 10 in a row: these have a common cause. */
export async function eachWorkspace(
  { log }: Pick<Services, 'log'>,
  workspaces: readonly string[],
  work: (workspace: string) => Promise<void>,
): Promise<void> {
  let failures = 0;
  for (const workspace of workspaces) {
    try {
      await work(workspace);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === maxFailures) throw error;
      log.warn({ workspace, err: error }, 'workspace skipped');
    }
  }
}
