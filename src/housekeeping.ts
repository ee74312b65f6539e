import { resumeLeaving } from './features/connect/operations.ts';
import { findRemoved } from './features/install/removal.ts';
import { handlerOf, type JobHandler, jobKind, sweepCheckpoints } from './jobs/index.ts';
import type { Services } from './services.ts';

const sweeping = jobKind('sweep', [], { attempts: 3 });

/** Removes, every hour, what has outlived its time, and whoever was to be forgotten or has gone unheard. */
export function housekeeping(services: Services): { handler: JobHandler; start(): () => void } {
  const { store, queue, log } = services;
  const handler = handlerOf({
    kind: sweeping,
    run: async () => {
      const swept = await store.sweep();
      log.info({ ...swept, checkpoints: await sweepCheckpoints(store) }, 'swept');
      await resumeLeaving(services);
      await findRemoved(services);
    },
    // The next hour tries again.
    giveUp: async () => {},
  });
  // Jobs of one hour that wait at the same time are one; that several processes may sweep an hour does no harm.
  const ask = () => queue.add(sweeping, {}, { key: `sweep ${new Date().toISOString().slice(0, 13)}` });
  return {
    handler,
    start() {
      const asking = () => ask().catch((error) => log.warn({ err: error }, 'sweeping could not be asked for'));
      const timer = setInterval(asking, 3_600_000).unref();
      void asking();
      return () => clearInterval(timer);
    },
  };
}
