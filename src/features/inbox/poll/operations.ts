import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type InboxItem, isExchangeError } from '../../../exchange/index.ts';
import { createBatcher } from '../../../lib/batcher.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { type Desk, defineCollection, inTransaction } from '../../../store/index.ts';
import { outcomeOf } from '../../common/audited.ts';
import { connectionOf, deskOf } from '../../common/connection.ts';
import type { Actor, Services } from '../../common/services.ts';
import { channelFor } from '../../settings/inbox-channels.ts';
import { adminsOnly, expectAllowed } from '../../settings/permission.ts';
import { readSettings } from '../../settings/repository.ts';
import { openRequests } from '../../transfers/answers/operations.ts';
import { queueAnnouncement, queueLaterAnnouncement } from '../items/jobs.ts';
import { itemsIn } from '../items/repository.ts';
import { itemSync, type OwnersOf } from '../items/sync.ts';
import {
  ClaimLostError,
  endRestore,
  expectClaim,
  type PollClaim,
  pausePolling,
  pollState,
  recordPollFailure,
  recordPollSuccess,
  recordUnchangedPolls,
  releaseClaim,
  requestPoll,
} from './repository.ts';

/** Records that a poll found nothing new. Rejects if its claim was lost. */
export type RecordUnchanged = (claim: PollClaim) => Promise<void>;

/** Unchanged polls within this time are recorded together. */
const batchMs = 50;

/** Records unchanged polls in batches, because a statement for each would cost more than the poll itself. */
export function createUnchangedRecorder({ store }: Pick<Services, 'store'>, everyMs: number): RecordUnchanged {
  const recordAll = createBatcher((claims: readonly PollClaim[]) => recordUnchangedPolls(store.pool, claims, everyMs), {
    waitMs: batchMs,
  });
  return async (claim) => {
    if (!(await recordAll(claim)).has(claim)) throw new ClaimLostError('poll claim lost');
  };
}

/** Polls one workspace's inbox and records what is new. Never rejects: the next poll retries. */
export async function pollOnce(
  services: Services,
  claim: PollClaim,
  everyMs: number,
  signal: AbortSignal,
  recordUnchanged = createUnchangedRecorder(services, everyMs),
): Promise<void> {
  const started = performance.now();
  const report = (outcome: string) => {
    const seconds = (claim.dueMs + performance.now() - started) / 1000;
    services.metrics?.observe('dropline_poll_delay_seconds', { outcome }, seconds);
  };
  try {
    await readAndRecord(services, claim, everyMs, signal, recordUnchanged);
    report('done');
  } catch (error) {
    // A poll that is released at the end of this process isn't over.
    if (!signal.aborted) report('failed');
    await recordFailure(services, claim, everyMs, signal, error).catch((failure: unknown) => {
      if (failure instanceof ClaimLostError) return;
      services.log.warn(
        { workspace: claim.workspace, operation: 'poll', err: failure },
        'could not record poll failure',
      );
    });
  }
}

async function readAndRecord(
  services: Services,
  claim: PollClaim,
  everyMs: number,
  signal: AbortSignal,
  recordUnchanged: RecordUnchanged,
): Promise<void> {
  const { exchange } = await connectionOf(services, claim);
  let free: (() => void) | undefined;
  const beforeScan = async () => {
    free ??= await services.changedInboxes.acquire('', signal);
  };
  try {
    const { items, digest } = await exchange.readInbox({ knownDigest: claim.digest, signal, beforeScan });
    if (items === undefined) await recordUnchanged(claim);
    else await recordChanged(services, claim, everyMs, { items, digest });
  } finally {
    free?.();
  }
}

async function recordChanged(
  services: Services,
  claim: PollClaim,
  everyMs: number,
  { items, digest }: { items: readonly InboxItem[]; digest: string },
): Promise<void> {
  const { store, log } = services;
  const { workspace, account, isBaseline } = claim;
  const ownersOf = await assignment(services, claim);
  // The digest is stored in the same transaction as the items: if that fails, the next poll reads them again.
  const isFull = await inTransaction(store.pool, async (client) => {
    // After a reconnect, posts of items that have gone since then are outdated.
    const isReconnect = isBaseline && (await itemsIn(store, workspace, account).areAnnounced(client));
    const sync = itemSync(store, workspace, account);
    const recorded = await sync.record(client, items, isBaseline, ownersOf, claim.leftOutUntil);
    const { fresh, changed, presenceChanged, waiting, unusable, leftOut, leftOutUntil, isFull } = recorded;
    // Without a digest, the next poll reads the inbox again, so it finds the items once there is room.
    await recordPollSuccess(client, claim, everyMs, { digest: isFull ? undefined : digest, leftOut, leftOutUntil });
    if (isBaseline) await queueAnnouncement(services, claim, client, 'baseline');
    // Otherwise, the announcement ends it.
    if (claim.isRestored && waiting === 0) await endRestore(client, claim);
    if (isReconnect || changed + waiting > 0) await queueAnnouncement(services, claim, client, 'news');
    if (presenceChanged > 0)
      await queueLaterAnnouncement(services, claim, services.timing.gonePauseMs, { within: client });
    const fields = { workspace, operation: 'poll', fresh, changed, unusable, leftOut };
    if (leftOut > 0) log.warn(fields, 'inbox has more items than the limit');
    else if (unusable > 0) log.warn(fields, 'inbox has items with unusable urls');
    else if (fresh + changed > 0) log.info(fields, 'inbox changed');
    return isFull;
  });
  if (isFull) await reportFull(services, claim);
}

/** What new items belong to, without asking Slack. Possible answers to a request are left to the announcer. */
async function assignment(services: Services, claim: PollClaim): Promise<OwnersOf> {
  const settings = await readSettings(services, claim);
  const requests = claim.isBaseline ? [] : await openRequests(services, claim);
  return ({ sender = '' }) =>
    requests.some(({ asked }) => asked.has(sender.toLowerCase()))
      ? []
      : [channelFor(settings, sender)?.channel ?? adminsOnly];
}

/** The workspaces whose admin was told that there is no room for more items. */
const reportedFull = defineCollection('inbox-full', z.literal(true));
const reportedFullTtlMs = 7 * 86_400_000;

/** Tells an admin, at most once a week: a service can make its inbox fit and not fit at every poll. */
async function reportFull({ store, notifier, log }: Services, desk: Required<Desk>): Promise<void> {
  const { workspace } = desk;
  const reported = store.collection(reportedFull);
  if ((await reported.get(workspace)) !== undefined) return;
  try {
    await notifier.alarm(desk, { kind: 'inbox-full' });
    await reported.set(workspace, true, { ttlMs: reportedFullTtlMs });
  } catch (error) {
    log.warn({ workspace, operation: 'poll', err: error }, 'admin not told that the inbox is full');
  }
}

async function recordFailure(
  services: Services,
  claim: PollClaim,
  everyMs: number,
  signal: AbortSignal,
  error: unknown,
): Promise<void> {
  const { log, notifier } = services;
  const { pool } = services.store;
  const { workspace } = claim;
  if (error instanceof ClaimLostError) return;
  if (signal.aborted) return releaseClaim(pool, claim);
  // Keep the row: a reconnect continues from it, and deleting the workspace deletes it.
  if (isDroplineError(error, 'not-connected')) return pausePolling(pool, claim, error.code);
  log.warn({ workspace, operation: 'poll', failures: claim.failures + 1, err: error }, 'poll failed');
  if (!isExchangeError(error, 'credentials-refused')) return recordPollFailure(pool, claim, everyMs, outcomeOf(error));
  // Rejects if the claim was lost, for example because the key was replaced. Then no alarm is needed.
  await expectClaim(pool, claim);
  // Notify the admin before pausing. Otherwise polling could stay paused without anyone knowing.
  await notifier.alarm(claim, { kind: 'credentials-refused' });
  await pausePolling(pool, claim, error.code);
}

const refreshPauseMs = 200;

/** Requests a poll now, and waits until a worker has done it or the time is up. */
export async function refreshInbox(services: Services, actor: Actor): Promise<void> {
  await expectAllowed(services, actor, 'download');
  const { pool } = services.store;
  const desk = await deskOf(services, actor);
  const lastAtBefore = (await pollState(pool, desk))?.lastAt;
  if (await requestPoll(pool, desk)) await untilPolled(services, desk, lastAtBefore);
}

/** False from connecting an account until its first poll. */
export async function isPolled({ store }: Services, { workspace, account }: Desk): Promise<boolean> {
  const connected = await store.credentials.accountOf({ workspace, account });
  if (connected === undefined) return false;
  const { lastAt, pausedAt } = (await pollState(store.pool, { workspace, account: connected })) ?? {};
  return (lastAt ?? pausedAt) !== undefined;
}

/** Waits for the first poll, or for one after the given time. Resolves with false if it takes too long. */
export async function untilPolled({ store, timing }: Services, desk: Required<Desk>, after?: Date): Promise<boolean> {
  const deadline = performance.now() + timing.healthMs;
  while (performance.now() < deadline) {
    await sleep(refreshPauseMs);
    const { lastAt } = (await pollState(store.pool, desk)) ?? {};
    if (lastAt?.getTime() !== after?.getTime()) return true;
  }
  return false;
}
