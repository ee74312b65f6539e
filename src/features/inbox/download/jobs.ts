import { handlerOf, type JobHandler, PermanentError } from '../../../jobs/index.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { deleteUpload, findShare } from '../../../slack/upload.ts';
import { hasErrorMessage } from '../../common/audited.ts';
import { checkLater, pendingUploads, uploadLock } from '../../common/delivery/share.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { downloadKind } from '../orders/operations.ts';
import { downloadOrders } from '../orders/repository.ts';
import { actorOf, deliver, downloadShownKind, postFailure } from './deliver.ts';
import { endOrder } from './notify.ts';
import { isDownloaded, recordDownloadOutcome } from './operations.ts';

/** Downloads a file to Slack after a click. If that fails, notifies the person of the reason. */
export function downloadJob(services: SlackServices): JobHandler {
  const orders = services.store.collection(downloadOrders);
  const uploads = services.store.collection(pendingUploads);

  /**
   * Handles the upload of an earlier job or attempt. If it was shared, or might have been, queues a check and resolves
   * with true: this job has nothing to do. If it was reported as missing, this job uploads again. The first copy is
   * deleted if Slack still doesn't show it.
   */
  async function handleEarlierUpload(workspace: string, id: string): Promise<boolean> {
    const upload = await uploads.get(workspace, id);
    if (upload === undefined) return false;
    if (upload.isMissing !== true) {
      await checkLater(services, downloadShownKind, workspace, id, upload.checks);
      return true;
    }
    // The person was told that the file is missing, and clicked again. Delete the first copy before Slack shows it.
    const client = await services.slack.clientOf(workspace);
    const { file, channel } = upload;
    const share = await findShare(await services.slack.filesClientOf(workspace), file, upload);
    const misplacedMessage = share.state === 'misplaced' ? { channel, ts: share.ts } : undefined;
    if (share.state !== 'shown') await deleteUpload(client, file, misplacedMessage);
    await uploads.delete(workspace, id);
    return false;
  }

  return handlerOf<{ workspace: string; order: string }>({
    kind: downloadKind,
    // One job at a time: a click during the download adds another job, which then finds the uploaded file.
    run: ({ workspace, order: id }, context) =>
      services.store.withLock(uploadLock(workspace, id), context.signal, async () => {
        const order = await orders.get(workspace, id);
        if (order === undefined) return; // already delivered, or the workspace was deleted
        if (await handleEarlierUpload(workspace, id)) return;
        const actor = actorOf(workspace, order);
        try {
          // Download all skips files that the person has. Another click could have delivered this one since.
          const isRepeated = order.batch !== undefined && (await isDownloaded(services, actor, order));
          if (isRepeated) await endOrder(services, workspace, id, true);
          else await deliver(services, actor, id, order, context);
        } catch (error) {
          context.signal.throwIfAborted();
          if (!hasErrorMessage(error) || isDroplineError(error, 'busy')) throw error;
          await context.step('record', () => recordDownloadOutcome(services, actor, order, error));
          await postFailure(services, actor, order, error, context);
          await endOrder(services, workspace, id, false);
        }
      }),
    async giveUp({ workspace, order: id }, error, context) {
      const order = await orders.get(workspace, id);
      if (order === undefined) return;
      // Slack could have shared the file even if we didn't get its answer.
      const upload = await uploads.get(workspace, id);
      if (upload !== undefined && upload.isMissing !== true)
        return checkLater(services, downloadShownKind, workspace, id);
      const reason = error instanceof PermanentError ? (error.cause ?? error) : error;
      const actor = actorOf(workspace, order);
      await context.step('record', () => recordDownloadOutcome(services, actor, order, reason));
      await postFailure(services, actor, order, reason, context);
      await endOrder(services, workspace, id, false);
    },
  });
}
