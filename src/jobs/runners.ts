import { bounds } from '../bounds.ts';
import { type Runner, type RunnerOptions, startRunner } from './runner.ts';

export interface RunnersOptions extends Omit<RunnerOptions, 'concurrency'> {
  /** Slots in this process for long and for short jobs. */
  slots?: { long: number; short: number };
}

/** Long jobs have separate slots, so they never delay the jobs that people wait for. */
export async function startRunners({
  handlers,
  slots = { long: bounds.longJobs, short: bounds.shortJobs },
  ...options
}: RunnersOptions): Promise<Runner> {
  const runners: Runner[] = [];
  const stop = async (graceMs?: number) => {
    await Promise.all(runners.map((runner) => runner.stop(graceMs)));
  };
  try {
    for (const isLong of [true, false]) {
      const kinds = handlers.filter(({ kind }) => kind.isLong === isLong);
      const concurrency = isLong ? slots.long : slots.short;
      if (kinds.length > 0) runners.push(await startRunner({ ...options, handlers: kinds, concurrency }));
    }
  } catch (error) {
    await stop(0);
    throw error;
  }
  return { isUp: () => runners.every((runner) => runner.isUp()), stop };
}
