import type { WorkerEvents } from 'graphile-worker';

/** Longer than any database timeout. */
const recordTimeoutMs = 60_000;
const stallMs = 10_000;

/** Observes an engine through its events. */
export function monitorEngine(events: WorkerEvents) {
  const endedAt = new Map<string, number>();
  let failingSince: number | undefined;
  const markSucceeded = () => {
    failingSince = undefined;
  };
  events.on('job:start', ({ job }) => {
    markSucceeded();
    endedAt.set(job.id, Number.POSITIVE_INFINITY);
  });
  events.on('job:complete', ({ job }) => endedAt.set(job.id, performance.now()));
  events.on('worker:getJob:empty', markSucceeded);
  return {
    /** Resolves with the reason when the engine no longer works, which it doesn't always notice itself. */
    broken: new Promise<unknown>((resolve) => {
      // An engine that can't record the end of a job stops. If it fails to record a second one, it hangs.
      events.once('pool:fatalError', ({ error }) => resolve(error));
      // An engine whose first query failed reports the same failure forever.
      events.on('worker:getJob:error', ({ error }) => {
        failingSince ??= performance.now();
        if (performance.now() - failingSince > stallMs) resolve(error);
      });
    }),
    /** Lists the ids of jobs that run, or that ended so recently that their end might not be recorded yet. */
    listJobs(): string[] {
      for (const [id, at] of endedAt) if (performance.now() - at > recordTimeoutMs) endedAt.delete(id);
      return [...endedAt.keys()];
    },
  };
}
