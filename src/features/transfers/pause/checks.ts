import type pg from 'pg';
import { referenceOf } from '../../../lib/errors.ts';
import { paused } from '../../settings/pause/errors.ts';
import { type Pause, pausesIn } from '../../settings/pause/repository.ts';
import type { TransferServices } from '../kind.ts';
import { queueTransfer } from '../queue.ts';
import { transfersIn } from '../repository.ts';
import type { Transfer } from '../transfer.ts';

/*
 * Why a pause stops all sending and loses no transfer:
 * 1. A transfer's job looks for a pause in the transaction that makes it `running`, every second while it works, and in
 *    the transaction that makes it `committing` (../lifecycle/jobs.ts). Only then can it call createdrop or givedrop.
 * 2. A paused transfer is `waiting` without a job. Its row and the pause are read under locks: either `park` sees the
 *    pause, and then the resume sees the parked transfer and queues its job, or `park` queues the job itself.
 */

/** Why a transfer waits; undefined if it isn't paused. */
export async function pauseOf(
  { store, kinds }: Pick<TransferServices, 'store' | 'kinds'>,
  { workspace, kind, state }: Pick<Transfer, 'workspace' | 'kind' | 'state'>,
): Promise<Pause | undefined> {
  if (state !== 'waiting') return undefined;
  return (await pausesIn(store).read(workspace))[kinds[kind].pausedBy];
}

/** Throws if the transfer is paused. Reads the pause in the transaction that changes the transfer's state. */
export async function expectNotPausedWithin(
  { store, kinds }: TransferServices,
  { workspace, kind }: Pick<Transfer, 'workspace' | 'kind'>,
  client: pg.PoolClient,
): Promise<void> {
  const target = kinds[kind].pausedBy;
  const pause = await pausesIn(store).findAndLock(client, workspace, target);
  if (pause !== undefined) throw paused(target, pause);
}

/** Makes a transfer `waiting`, without a job while it is paused. The caller has already deleted its uploads. */
export async function park(services: TransferServices, transfer: Transfer): Promise<void> {
  const { store, kinds, log, notifier } = services;
  const { id, workspace, person, kind } = transfer;
  await transfersIn(store).change(id, async (current, client) => {
    const pause = await pausesIn(store).findAndLock(client, workspace, kinds[kind].pausedBy);
    // It was resumed or cancelled since then: the job has to continue or end the transfer.
    if (pause === undefined || current.cancelledBy !== undefined) await queueTransfer(services, current, client);
    return { step: 'park' };
  });
  const context = { workspace, person, operation: kind, reference: referenceOf(id), transfer: id };
  log.info(context, 'transfer waits because of a pause');
  services.metrics?.count('dropline_paused_transfers_total', { kind });
  // A failure isn't worth a retry of the job, because Home shows the same.
  await notifier
    .transferPaused({ workspace, id })
    .catch((error: unknown) => log.warn({ ...context, err: error }, 'card not updated'));
}
