import type pg from 'pg';
import { referenceOf } from '../../../errors.ts';
import { accountQueue, type JobKind } from '../../../jobs/index.ts';
import type { Services } from '../../common/services.ts';
import { paused } from '../../settings/pause/errors.ts';
import { type Pause, type PauseTarget, pausesIn } from '../../settings/pause/repository.ts';
import { type Transfer, type TransferKind, type TransferWithDetails, transfersIn } from '../repository.ts';

/*
 * Why a pause stops all sending and loses no transfer:
 * 1. A transfer's job looks for a pause in the transaction that makes it `running`, every second while it works, and in
 *    the transaction that makes it `committing` (../jobs.ts). Only then can it call createdrop or givedrop.
 * 2. A paused transfer is `waiting` without a job. Its row and the pause are read under locks: either `park` sees the
 *    pause, and then the resume sees the parked transfer and queues its job, or `park` queues the job itself.
 */

export const pauseTargetOf: Record<TransferKind, PauseTarget> = { send: 'sending', request: 'requests' };

/** Why a transfer waits; undefined if it isn't paused. */
export async function pauseOf(
  { store }: Pick<Services, 'store'>,
  { workspace, kind, state }: Pick<Transfer, 'workspace' | 'kind' | 'state'>,
): Promise<Pause | undefined> {
  if (state !== 'waiting') return undefined;
  return (await pausesIn(store).read(workspace))[pauseTargetOf[kind]];
}

/** Throws if the transfer is paused. Reads the pause in the transaction that changes the transfer's state. */
export async function expectNotPausedWithin(
  { store }: Pick<Services, 'store'>,
  { workspace, kind }: Pick<Transfer, 'workspace' | 'kind'>,
  client: pg.PoolClient,
): Promise<void> {
  const target = pauseTargetOf[kind];
  const pause = await pausesIn(store).findAndLock(client, workspace, target);
  if (pause !== undefined) throw paused(target, pause);
}

/** Makes a transfer `waiting`, without a job while it is paused. The caller has already deleted its uploads. */
export async function park(services: Services, job: JobKind<{ transfer: string }>, transfer: TransferWithDetails) {
  const { store, queue, log, notifier } = services;
  const { id, workspace, person, kind } = transfer;
  await transfersIn(store).change(id, async ({ cancelledBy, account, createdAt }, client) => {
    const pause = await pausesIn(store).findAndLock(client, workspace, pauseTargetOf[kind]);
    // It was resumed or cancelled since then: the job has to continue or end the transfer.
    if (pause === undefined || cancelledBy !== undefined) {
      const options = { queue: accountQueue('transfers', account), key: `${kind} ${id}`, runAt: createdAt };
      await queue.add(job, { transfer: id }, { ...options, within: client });
    }
    return { state: 'waiting' };
  });
  const context = { workspace, person, operation: kind, reference: referenceOf(id), transfer: id };
  log.info(context, 'transfer waits because of a pause');
  services.metrics?.count('dropline_paused_transfers_total', { kind });
  // A failure isn't worth a retry of the job, because Home shows the same.
  await notifier
    .transferPaused({ workspace, id })
    .catch((error: unknown) => log.warn({ ...context, err: error }, 'card not updated'));
}
