import type { FeaturesSetup } from '../helpers/features.ts';

/** The transfer's own reads of the history don't show it yet; a later read does. */
export const lateHistory = { behaviour: { historyLag: 4 } };

/** Starts a worker that checks the history again soon after a transfer has ended. */
export function startWorker(setup: FeaturesSetup): Promise<unknown> {
  const { services } = setup;
  const timing = { ...services.timing, lateCheckPausesMs: [50, 200, 500] };
  return setup.startWorker({ services: { ...services, timing } });
}
