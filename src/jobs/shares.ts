import type { Job, WorkerEvents } from 'graphile-worker';

/** Divides the slots of an engine among workspaces. */
export interface Shares {
  /** The workspaces that can't take another slot now. Called before each claim of a job. */
  full(): Promise<string[]>;
}

/**
 * A workspace can take another slot only while more slots are free than it has. Alone it gets half of them, so the next
 * workspace finds free slots, however slow its jobs are.
 */
export function createShares(slots: number, events: WorkerEvents): Shares {
  const running = new Map<string, Job>();
  /** Claims in progress, for which the job isn't known yet. */
  let taking = 0;
  let waiting: (() => void)[] = [];
  const changed = () => {
    const all = waiting;
    waiting = [];
    for (const goOn of all) goOn();
  };
  const taken = () => {
    taking -= 1;
    changed();
  };
  events.on('job:start', ({ job }) => {
    running.set(job.id, job);
    taken();
  });
  events.on('worker:getJob:empty', taken);
  events.on('worker:getJob:error', taken);
  events.on('job:complete', ({ job }) => {
    running.delete(job.id);
    changed();
  });

  const count = () => {
    const held = new Map<string, number>();
    for (const { flags } of running.values()) {
      for (const workspace of Object.keys(flags ?? {})) held.set(workspace, (held.get(workspace) ?? 0) + 1);
    }
    const free = slots - running.size;
    const full: string[] = [];
    let most = 0;
    for (const [workspace, count] of held) {
      if (count < free) most = Math.max(most, count);
      else full.push(workspace);
    }
    // All claims in progress can get jobs of the same workspace: each gives it one more slot and leaves one less free.
    return { full, hasRoom: taking === 0 || most + taking < free - taking };
  };
  return {
    async full() {
      let now = count();
      while (!now.hasRoom) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        now = count();
      }
      taking += 1;
      return now.full;
    },
  };
}
