import type { WorkerEvents } from 'graphile-worker';

/** What an engine says of itself, as far as it must be known from outside. */
export interface Watch {
  /** Resolves with the reason when it will do no more, which it does not always notice itself. */
  broken: Promise<unknown>;
  /** The ids of jobs that it knows of: in progress, or ended so lately that their end may not be written down yet. */
  known(): string[];
}

/** Longer than the database is waited for. */
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
      // One that cannot write down how a job ended stops, but of two such ends it never comes to its own.
      events.once('pool:fatalError', ({ error }) => resolve(error));
      // One whose very first question failed gives the same failure to itself for ever.
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
