import type { Job, WorkerEvents } from 'graphile-worker';

/**
 * Divides the slots of an engine among workspaces. A workspace gets another slot only while more slots are free than it
 * already has. A single workspace gets at most half of them, so others find free slots even if its jobs are slow.
 */
export function createShares(slots: number, events: WorkerEvents) {
  const running = new Map<string, Job>();
  /** Claims in progress, whose job isn't known yet. */
  let claiming = 0;
  let waiting: (() => void)[] = [];
  const wakeWaiting = () => {
    const callbacks = waiting;
    waiting = [];
    for (const resume of callbacks) resume();
  };
  const claimEnded = () => {
    claiming -= 1;
    wakeWaiting();
  };
  events.on('job:start', ({ job }) => {
    running.set(job.id, job);
    claimEnded();
  });
  events.on('worker:getJob:empty', claimEnded);
  events.on('worker:getJob:error', claimEnded);
  events.on('job:complete', ({ job }) => {
    running.delete(job.id);
    wakeWaiting();
  });

  const countShares = () => {
    const slotsHeld = new Map<string, number>();
    for (const { flags } of running.values()) {
      for (const workspace of Object.keys(flags ?? {})) slotsHeld.set(workspace, (slotsHeld.get(workspace) ?? 0) + 1);
    }
    const free = slots - running.size;
    const full: string[] = [];
    let largestShare = 0;
    for (const [workspace, count] of slotsHeld) {
      if (count < free) largestShare = Math.max(largestShare, count);
      else full.push(workspace);
    }
    // In the worst case, all claims in progress get jobs of one workspace. Each takes one of the free slots for it.
    return { full, hasRoom: claiming === 0 || largestShare + claiming < free - claiming };
  };
  return {
    /**
     * Called before each claim of a job, and counts it. Resolves with the workspaces that can't take another slot now.
     * Waits while the claims in progress could give a workspace too many.
     */
    async beginClaim(): Promise<string[]> {
      let shares = countShares();
      while (!shares.hasRoom) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        shares = countShares();
      }
      claiming += 1;
      return shares.full;
    },
  };
}
