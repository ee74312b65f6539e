import { handlerOf, type JobHandler, PermanentError } from '../../../jobs/index.ts';
import { findShare, takeBackUpload } from '../../../slack/upload.ts';
import { hasErrorMessage } from '../../common/error-message.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { lookLater, uploadLock, watchedUploads } from '../../common/uploads/upload-watch.ts';
import { bring, sayFailed } from './deliver.ts';
import { downloading, downloadOrders, downloadShown } from './order.ts';

/** Fetches a file into Slack after a click. The person gets it, or learns why not. */
export function downloadJob(services: SlackServices): JobHandler {
  const orders = services.store.collection(downloadOrders);
  const uploads = services.store.collection(watchedUploads);

  /** Whether an earlier click has uploaded it and Slack hasn't shown it yet. */
  async function isComing(workspace: string, id: string, job: string): Promise<boolean> {
    const upload = await uploads.get(workspace, id);
    if (upload === undefined || upload.job === job) return false;
    if (upload.isMissing !== true) {
      // A click replaces the job of an earlier one, which isn't run again if its worker dies: this job continues it.
      if (upload.isShared !== true) return false;
      await lookLater(services, downloadShown, workspace, id, upload.looks);
      return true;
    }
    // The person was told that it is missing and asks again: delete the first copy, so that two never appear.
    const client = await services.slack.clientOf(workspace);
    const { file, channel } = upload;
    const share = await findShare(await services.slack.filesClientOf(workspace), file, upload);
    const shown = share.is === 'misplaced' ? { channel, ts: share.ts } : undefined;
    if (share.is !== 'there') await takeBackUpload(client, file, shown);
    await uploads.delete(workspace, id);
    return false;
  }

  return handlerOf<{ workspace: string; order: string }>({
    kind: downloading,
    // One at a time: a click during the download adds another job, which then finds the file uploaded.
    run: ({ workspace, order: id }, context) =>
      services.store.withLock(uploadLock(workspace, id), context.signal, async () => {
        const order = await orders.get(workspace, id);
        if (order === undefined) return; // already delivered, or the workspace was deleted
        if (await isComing(workspace, id, context.job)) return;
        const actor = { workspace, person: order.person };
        try {
          if (await bring(services, actor, id, order, context)) return;
        } catch (error) {
          context.signal.throwIfAborted();
          if (!hasErrorMessage(error)) throw error;
          await uploads.delete(workspace, id);
          await sayFailed(services, actor, order, error, context);
        }
        await orders.delete(workspace, id);
      }),
    async giveUp({ workspace, order: id }, error, context) {
      const order = await orders.get(workspace, id);
      if (order === undefined) return;
      // Slack could have shared it, with only its answer lost.
      const upload = await uploads.get(workspace, id);
      if (upload?.job === context.job) return lookLater(services, downloadShown, workspace, id);
      const why = error instanceof PermanentError ? (error.cause ?? error) : error;
      await sayFailed(services, { workspace, person: order.person }, order, why, context);
      await orders.delete(workspace, id);
    },
  });
}
