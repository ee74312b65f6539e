import type pg from 'pg';
import { handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import type { Actor, Services } from '../common/services.ts';
import { inboxChannels } from './fields.ts';
import { readSettings } from './repository.ts';

const noticeKind = jobKind('channel-notice', ['workspace', 'channel', 'person']);

/** Queues a notice for each of these channels. It says that new files will be posted there, and who chose that. */
export async function queueChannelNotices(
  { queue }: Pick<Services, 'queue'>,
  { workspace, person }: Actor,
  channels: readonly string[],
  within: pg.ClientBase,
): Promise<void> {
  for (const channel of channels) {
    const key = `channel-notice ${workspace} ${channel}`;
    await queue.add(noticeKind, { workspace, channel, person }, { key, within });
  }
}

/**
 * The inbox handles this job: it posts the items that no longer wait for a digest. It is declared here, because
 * settings can't import the inbox.
 */
export const digestsChangedKind = jobKind('digests-changed', ['workspace']);

/** Transfers handle this job: the approvers have changed while transfers might wait for them. */
export const approversKind = jobKind('approvers', ['workspace']);

export function channelNoticeJob(services: Services): JobHandler {
  return handlerOf<{ workspace: string; channel: string; person: string }>({
    kind: noticeKind,
    async run({ workspace, channel, person }) {
      // An admin might have chosen another channel since the job was queued.
      if (!inboxChannels(await readSettings(services, workspace)).includes(channel)) return;
      await services.announcer.postChannelChosen(workspace, channel, person);
    },
    async giveUp({ workspace, channel }, error) {
      services.log.warn({ workspace, channel, operation: 'settings', err: error }, 'channel notice not posted');
    },
  });
}
