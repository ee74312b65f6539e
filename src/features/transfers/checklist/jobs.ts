import { handlerOf, type JobHandler } from '../../../jobs/index.ts';
import { isUnreachable } from '../../../slack/messages.ts';
import { showCard } from '../cards/notify.ts';
import type { TransferSlackServices } from '../shown-kind.ts';
import { showChecklist } from './notify.ts';
import { checklistKind } from './operations.ts';

/** Shows a changed checklist on the request's card and in its thread. */
export function checklistJob(services: TransferSlackServices): JobHandler {
  return handlerOf<{ workspace: string; transfer: string }>({
    kind: checklistKind,
    async run({ transfer: id }) {
      try {
        await showCard(services, id);
        await showChecklist(services, id);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
      }
    },
    async giveUp({ workspace, transfer: id }, error) {
      services.log.error({ workspace, transfer: id, operation: 'checklist', err: error }, 'checklist not updated');
    },
  });
}
