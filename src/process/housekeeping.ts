import { disconnectUninstalled } from '../features/account/leave/listeners.ts';
import { resumeLeaving } from '../features/account/leave/operations.ts';
import { sweepAudit } from '../features/audit/operations.ts';
import { queueReminders } from '../features/inbox/reminders/jobs.ts';
import { queueDailyChecks } from '../features/settings/channels/jobs.ts';
import { handlerOf, type JobHandler, jobKind, sweepCheckpoints } from '../jobs/index.ts';
import type { OpenedServices } from '../services.ts';

const sweepKind = jobKind('sweep', [], { attempts: 3 });

/**
 * Every hour: deletes expired data, resumes interrupted disconnects, finds workspaces that removed the app, and queues
 * reminders and checks of inbox channels.
 */
export function housekeeping(services: OpenedServices): { handler: JobHandler; start(): () => void } {
  const { store, queue, log } = services;
  const handler = handlerOf({
    kind: sweepKind,
    run: async () => {
      const swept: Record<string, number> = {};
      const failures: unknown[] = [];
      const steps = {
        rows: async () => void Object.assign(swept, await store.sweep()),
        audit: async () => void Object.assign(swept, { audit_entries: await sweepAudit(services) }),
        checkpoints: async () => void Object.assign(swept, { checkpoints: await sweepCheckpoints(store) }),
        queues: async () => void Object.assign(swept, { queues: await queue.sweep() }),
        leaving: () => resumeLeaving(services),
        removed: () => disconnectUninstalled(services),
        channels: async () => void Object.assign(swept, { channels: await queueDailyChecks(services) }),
        reminders: async () => void Object.assign(swept, { reminders: await queueReminders(services) }),
      };
      // A step that fails every hour must not keep the others from running.
      for (const [step, work] of Object.entries(steps)) {
        await work().catch((error: unknown) => {
          log.warn({ operation: 'sweep', step, err: error }, 'sweep step failed');
          failures.push(error);
        });
      }
      log.info(swept, 'swept');
      if (failures.length > 0) throw failures[0];
    },
    // The next hourly run tries again.
    giveUp: async () => {},
  });
  // The key merges waiting jobs of the same hour. A second sweep within an hour does no harm.
  const queueSweep = () => queue.add(sweepKind, {}, { key: `sweep ${new Date().toISOString().slice(0, 13)}` });
  return {
    handler,
    start() {
      const tryQueueSweep = () => queueSweep().catch((error) => log.warn({ err: error }, 'could not queue the sweep'));
      const timer = setInterval(tryQueueSweep, 3_600_000).unref();
      void tryQueueSweep();
      return () => clearInterval(timer);
    },
  };
}
