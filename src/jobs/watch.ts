import type { WorkerEvents } from 'graphile-worker';

/** The state of an engine, as seen in its events. */
export interface Watch {
  /** Resolves with the reason when the engine can't go on, which it doesn't always notice itself. */
  broken: Promise<unknown>;
  /** The ids of jobs that it knows: running, or ended so recently that their end isn't certainly recorded yet. */
  known(): string[];
}

/** Longer than any database timeout. */
const writtenMs = 60_000;
const stallMs = 10_000;

export function watchEngine(events: WorkerEvents): Watch {
  const endedAt = new Map<string, number>();
  let failingSince: number | undefined;
  const succeeded = () => {
    failingSince = undefined;
  };
  events.on('job:start', ({ job }) => {
    succeeded();
    endedAt.set(job.id, Number.POSITIVE_INFINITY);
  });
  events.on('job:complete', ({ job }) => endedAt.set(job.id, performance.now()));
  events.on('worker:getJob:empty', succeeded);
  return {
    broken: new Promise((resolve) => {
      // An engine that can't record the end of a job stops. If it can't record two of them, it never finishes stopping.
      events.once('pool:fatalError', ({ error }) => resolve(error));
      // An engine whose first query failed reports the same failure forever.
      events.on('worker:getJob:error', ({ error }) => {
        failingSince ??= performance.now();
        if (performance.now() - failingSince > stallMs) resolve(error);
      });
    }),
    known() {
      for (const [id, at] of endedAt) if (performance.now() - at > writtenMs) endedAt.delete(id);
      return [...endedAt.keys()];
    },
  };
}
