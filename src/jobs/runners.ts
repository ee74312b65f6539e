import { bounds } from '../lib/bounds.ts';
import type { SlotKind } from './kinds.ts';
import { type Runner, type RunnerOptions, startRunner } from './runner.ts';

export interface RunnerGroupOptions extends Omit<RunnerOptions, 'concurrency'> {
  /** How many slots of each kind this process has. */
  slots?: Record<SlotKind, number>;
}

/** Starts a runner for each kind of slot, so that long and posting jobs never delay the jobs that people wait for. */
export async function startRunners({
  handlers,
  slots = { long: bounds.longJobs, short: bounds.shortJobs, posting: bounds.postingJobs },
  ...options
}: RunnerGroupOptions): Promise<Runner> {
  const runners: Runner[] = [];
  const stop = async (graceMs?: number) => {
    await Promise.all(runners.map((runner) => runner.stop(graceMs)));
  };
  try {
    for (const [name, concurrency] of Object.entries(slots)) {
      const handlersOfSlots = handlers.filter(({ kind }) => kind.slots === name);
      if (handlersOfSlots.length > 0)
        runners.push(await startRunner({ ...options, handlers: handlersOfSlots, concurrency }));
    }
  } catch (error) {
    await stop(0);
    throw error;
  }
  return { isUp: () => runners.every((runner) => runner.isUp()), stop };
}
