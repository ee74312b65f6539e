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
  let taking = Promise.resolve();
  let taken = () => {};
  // Jobs are taken one at a time: two that are taken at once would both find the same places free.
  events.on('job:start', ({ job }) => {
    running.set(job.id, job);
    taken();
  });
  events.on('worker:getJob:empty', () => taken());
  events.on('worker:getJob:error', () => taken());
  events.on('job:complete', ({ job }) => running.delete(job.id));
  return {
    async full() {
      const before = taking;
      taking = new Promise((resolve) => {
        before.then(() => {
          taken = resolve;
        });
      });
      await before;
      const held = new Map<string, number>();
      for (const { flags } of running.values()) {
        for (const workspace of Object.keys(flags ?? {})) held.set(workspace, (held.get(workspace) ?? 0) + 1);
      }
      const free = places - running.size;
      return [...held].flatMap(([workspace, count]) => (count < free ? [] : [workspace]));
    },
  };
}
