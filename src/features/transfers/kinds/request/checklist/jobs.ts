import { handlerOf, type JobHandler } from '../../../../../jobs/index.ts';
import { isUnreachable } from '../../../../../slack/messages.ts';
import type { SlackServices } from '../../../../common/ui-services.ts';
import { showRequest } from '../notify.ts';
import { showChecklist } from './notify.ts';
import { checklistKind } from './operations.ts';

/** Shows a changed checklist on the request's card and in its thread. */
export function checklistJob({ slack, store, log }: SlackServices): JobHandler {
  return handlerOf<{ workspace: string; transfer: string }>({
    kind: checklistKind,
    async run({ transfer: id }) {
      try {
        await showRequest(slack, store, id);
        await showChecklist(slack, store, id);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
      }
    },
    async giveUp({ workspace, transfer: id }, error) {
      log.error({ workspace, transfer: id, operation: 'checklist', err: error }, 'checklist not updated');
    },
  });
}
