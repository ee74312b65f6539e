import type { FeaturesSetup } from '../helpers/features.ts';

/** The history lists a transfer one read after the last read that the transfer makes. */
export const lateHistory = { behaviour: { historyLag: 4 } };

/** Starts a worker that checks the history again soon after a transfer has ended. */
export function startWorker({ work, services }: FeaturesSetup): Promise<unknown> {
  return work({ services: { ...services, timing: { ...services.timing, lateCheckPausesMs: [50, 200, 500] } } });
}
