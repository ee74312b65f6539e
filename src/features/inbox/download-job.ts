import { handlerOf, type JobContext, type JobHandler, PermanentError } from '../../jobs/index.ts';
import { hasSentence } from '../sentence.ts';
import type { Actor } from '../services.ts';
import type { SlackServices } from '../ui-services.ts';
import { bringPrivately, bringToThread, sayFailed } from './download-deliver.ts';
import { type DownloadOrder, downloading, ordersOf } from './download-order.ts';

/** Fetches a file that somebody clicked on, into Slack. Whoever waits for it gets it, or learns why not. */
export function downloadJob(services: SlackServices): JobHandler {
  const orders = ordersOf(services);
  return handlerOf<{ workspace: string; order: string }>({
    kind: downloading,
    // One at a time: a click while the file is on its way makes another job, which then finds it brought.
    run: ({ workspace, order: id }, context) =>
      services.store.withLock(`download ${workspace} ${id}`, context.signal, async () => {
        const order = await orders.get(workspace, id);
        if (order === undefined) return; // brought already, or the workspace has gone
        const actor = { workspace, person: order.person };
        try {
          await bring(services, actor, order, context);
        } catch (error) {
          context.signal.throwIfAborted();
          if (!hasSentence(error)) throw error;
          await sayFailed(services, actor, order, error, context);
        }
        await orders.delete(workspace, id);
      }),
    async giveUp({ workspace, order: id }, error, context) {
      const order = await orders.get(workspace, id);
      if (order === undefined) return;
      const why = error instanceof PermanentError ? (error.cause ?? error) : error;
      await sayFailed(services, { workspace, person: order.person }, order, why, context);
      await orders.delete(workspace, id);
    },
  });
}

/** Into the thread only while nobody of another organisation is there: looked at each time. */
async function bring(services: SlackServices, actor: Actor, order: DownloadOrder, context: JobContext): Promise<void> {
  const { post } = order;
  const isBrought = post !== undefined && (await bringToThread(services, actor, { ...order, post }, context));
  if (!isBrought) await bringPrivately(services, actor, order, context);
}
