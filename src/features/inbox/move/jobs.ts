import { handlerOf, type JobHandler } from '../../../jobs/index.ts';
import { CannotPostError } from '../../../slack/posting.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { adminsOnly } from '../../settings/permission.ts';
import { movedKind } from './operations.ts';
import { movedAwayMessage, movedHereMessage } from './views.ts';

export function filesMovedJob({ slack, log }: SlackServices): JobHandler {
  return handlerOf<{ workspace: string; movedFrom: string; channel: string; person: string }>({
    kind: movedKind,
    async run({ workspace, movedFrom: from, channel: to, person }, { step }) {
      const tell = (channel: string, message: ReturnType<typeof movedHereMessage>) =>
        step(channel, async () => {
          await slack.posting.post(workspace, channel, message).catch((error: unknown) => {
            // The earlier channel can be archived or deleted: that is why files are moved.
            if (!(error instanceof CannotPostError)) throw error;
          });
        });
      await tell(to, movedHereMessage(person));
      if (from !== adminsOnly) await tell(from, movedAwayMessage(person));
    },
    async giveUp({ workspace, person }, error) {
      log.warn({ workspace, person, operation: 'move files', err: error }, 'channels not told of moved files');
    },
  });
}
