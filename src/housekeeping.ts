import { handlerOf, type JobHandler, jobKind } from './jobs/index.ts';
import type { Services } from './services.ts';

const sweeping = jobKind('sweep', [], { attempts: 3 });

/** Removes, once an hour for the whole deployment, what has outlived its time. */
export function housekeeping({ store, queue, log }: Services): { handler: JobHandler; start(): () => void } {
  const handler = handlerOf({
    kind: sweeping,
    run: async () => log.info({ swept: await store.sweep() }, 'swept'),
    // The next hour tries again.
    giveUp: async () => {},
  });
  // One job however many processes ask: the key is the hour.
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
