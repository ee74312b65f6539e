import type { Job, WorkerEvents } from 'graphile-worker';

/** Divides the places of an engine among workspaces. */
export interface Shares {
  /** The workspaces of which no job is to be taken now. To be asked each time before a job is taken. */
  full(): Promise<string[]>;
}

/**
 * A workspace may take another place only while more places are free than it has. Alone it gets half of them; however
 * slow its jobs are, the next workspace finds places free.
 */
export function createShares(places: number, events: WorkerEvents): Shares {
  const running = new Map<string, Job>();
  /** How many have asked and not heard yet which job they get. */
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
    const free = places - running.size;
    const full: string[] = [];
    let most = 0;
    for (const [workspace, count] of held) {
      if (count < free) most = Math.max(most, count);
      else full.push(workspace);
    }
    // Those who are taking may all get a job of the same workspace: each then has one more, and one less is free.
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
