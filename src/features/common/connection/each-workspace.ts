import type { Services } from '../services.ts';

const mostFailures = 10;

/** Skips a workspace that fails. Throws after many failures in a row: the cause isn't a single workspace. */
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
      if (failures === mostFailures) throw error;
      log.warn({ workspace, err: error }, 'workspace skipped');
    }
  }
}
