import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { handlerOf, type JobHandler, type JobKind, jobKind } from '../../jobs/index.ts';
import { bounds } from '../../lib/bounds.ts';
import { type Desk, type DeskIds, idsOfDesk } from '../../store/index.ts';
import type { Actor, Phrase, Services } from '../common/services.ts';
import { channelIds } from './inbox-channels.ts';
import { adminNotices, readSettings } from './repository.ts';

const noticeKind = jobKind('channel-notice', ['workspace', 'desk', 'channel', 'person']);

/** Queues a notice for each of these channels. It says that new files will be posted there, and who chose that. */
export async function queueChannelNotices(
  { queue }: Pick<Services, 'queue'>,
  { person, ...desk }: Actor & Required<Desk>,
  channels: readonly string[],
  within: pg.ClientBase,
): Promise<void> {
  for (const channel of channels) {
    const key = `channel-notice ${desk.workspace} ${channel}`;
    await queue.add(noticeKind, { ...idsOfDesk(desk), channel, person }, { key, within });
  }
}

/**
 * The inbox handles this job: it posts the items that no longer wait for a digest. It is declared here, because
 * settings can't import the inbox.
 */
export const digestsChangedKind = jobKind('digests-changed', ['workspace', 'desk']);

/** The folder of inbox channels handles this job, which counts guests and finds problems. */
export const checkChannelsKind = jobKind('check-inbox-channels', ['workspace', 'desk']);

/** Queues a job about an account, unless the same is already waiting. */
export async function queueForDesk(
  { queue }: Pick<Services, 'queue'>,
  kind: JobKind<DeskIds>,
  desk: Required<Desk>,
  { afterMs = 0, within }: { afterMs?: number; within?: pg.ClientBase } = {},
): Promise<void> {
  const ids = idsOfDesk(desk);
  const key = `${kind.name} ${ids.workspace} ${ids.desk}`;
  await queue.add(kind, ids, { key, runAt: new Date(Date.now() + afterMs), within });
}

export const queueChannelChecks = (
  services: Pick<Services, 'queue'>,
  desk: Required<Desk>,
  options?: Parameters<typeof queueForDesk>[3],
) => queueForDesk(services, checkChannelsKind, desk, options);

/** Transfers handle this job: the approvers have changed while transfers might wait for them. */
export const approversKind = jobKind('approvers', ['workspace', 'desk']);

export function channelNoticeJob(services: Services): JobHandler {
  return handlerOf<DeskIds & { channel: string; person: string }>({
    kind: noticeKind,
    async run({ workspace, desk: id, channel, person }) {
      const desk = await services.store.credentials.deskWith({ workspace, desk: id });
      // An admin might have chosen another channel since the job was queued.
      if (desk === undefined || !channelIds(await readSettings(services, desk)).includes(channel)) return;
      await services.notifier.channelChosen({ workspace, person }, channel);
    },
    async giveUp({ workspace, channel }, error) {
      services.log.warn({ workspace, channel, operation: 'settings', err: error }, 'channel notice not posted');
    },
  });
}

export const adminNoticeKind = jobKind('admin-notice', ['workspace', 'id']);

const adminNoticeTtlMs = 7 * 86_400_000;

/**
 * Queues a notice of what the person did to the others among these people, in the transaction that does it.
 *
 * @param actor with an account, if only its members must be told
 * @param people the admins from before the change, the most important first
 */
export async function queueAdminNotice(
  client: pg.ClientBase,
  { store, queue }: Pick<Services, 'store' | 'queue'>,
  { workspace, account, person: by }: Actor,
  people: readonly string[],
  changes: Phrase[],
): Promise<void> {
  const recipients = [...new Set(people)].filter((person) => person !== by).slice(0, bounds.adminsNotified);
  if (changes.length === 0 || recipients.length === 0) return;
  const id = randomUUID();
  const options = { name: id, ttlMs: adminNoticeTtlMs, within: client };
  await store.collection(adminNotices).set(workspace, { by, account, changes, recipients }, options);
  await queue.add(adminNoticeKind, { workspace, id }, { within: client });
}

export function adminNoticeJob(services: Services): JobHandler {
  const notices = services.store.collection(adminNotices);
  return handlerOf<{ workspace: string; id: string }>({
    kind: adminNoticeKind,
    async run({ workspace, id }, { step }) {
      const notice = await notices.get(workspace, id);
      if (notice === undefined) return;
      const failures: unknown[] = [];
      for (const person of notice.recipients) {
        const notified = step(person, () => services.notifier.adminNotice({ workspace, person }, notice));
        // A failure must not delay the notice to the others.
        await notified.catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
      await notices.delete(workspace, id);
    },
    async giveUp({ workspace, id }, error) {
      services.log.warn({ workspace, operation: 'settings', err: error }, 'admins not notified of a change');
      await notices.delete(workspace, id);
    },
  });
}
