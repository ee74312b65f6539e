import type pg from 'pg';
import { accountQueue, type JobKind, jobKind } from '../../jobs/index.ts';
import { referenceOf } from '../../lib/errors.ts';
import type { Actor, Services } from '../common/services.ts';
import { resume } from '../pause/operations.ts';
import { type PauseTarget, pausesIn } from '../pause/repository.ts';
import type { TransferServices } from './kind.ts';
import { transfersIn } from './repository.ts';
import { type Transfer, type TransferKind, transferKinds } from './transfer.ts';

/**
 * Attempts after errors on our side, such as a lost database connection. Together they take about half an hour; then
 * the person is notified. If the service refuses, the transfer ends at once instead, and its card has a retry button.
 */
const attempts = 8;

/** The job that runs the transfers of a kind. */
export const transferJobKind = (kind: TransferKind): JobKind<{ transfer: string }> =>
  jobKind(kind, ['transfer'], { attempts, slots: 'long' });

/**
 * Queues a transfer's job, or queues it again at its earlier position in the account's queue. Without `createdAt`, its
 * position is the end of the queue. `startsAt`: not before that time.
 */
export async function queueTransfer(
  { queue }: Pick<Services, 'queue'>,
  transfer: Pick<Transfer, 'id' | 'kind' | 'account'> & Partial<Pick<Transfer, 'createdAt' | 'startsAt'>>,
  within: pg.ClientBase,
): Promise<void> {
  const { id, kind, account, createdAt, startsAt: runAt = createdAt } = transfer;
  const options = { queue: accountQueue('transfers', account), key: `${kind} ${id}`, runAt, within };
  await queue.add(transferJobKind(kind), { transfer: id }, options);
}

/*
 * Why a pause stops all sending and loses no transfer:
 * 1. A transfer's job looks for a pause in the transaction that makes it `running`, every second while it works, and in
 *    the transaction that makes it `committing` (lifecycle/jobs.ts). Only then can it call createdrop or givedrop.
 * 2. A paused transfer is `waiting` without a job. Its row and the pause are read under locks: either `waitForResume`
 *    sees the pause, and then the resume sees the waiting transfer and queues its job, or `waitForResume` queues the job
 *    itself.
 */

/** Makes a transfer `waiting`, without a job while it is paused. The caller has already deleted its uploads. */
export async function waitForResume(services: TransferServices, transfer: Transfer): Promise<void> {
  const { store, kinds, log, notifier } = services;
  const { id, workspace, person, kind } = transfer;
  await transfersIn(store).change(id, async (current, client) => {
    const pause = await pausesIn(store).findAndLock(client, transfer, kinds[kind].pausedBy);
    // It was resumed or cancelled since then: the job has to continue or end the transfer.
    if (pause === undefined || current.cancelledBy !== undefined) await queueTransfer(services, current, client);
    return { step: 'wait' };
  });
  const context = { workspace, person, operation: kind, reference: referenceOf(id), transfer: id };
  log.info(context, 'transfer waits because of a pause');
  services.metrics?.count('dropline_paused_transfers_total', { kind });
  // A failure isn't worth a retry of the job, because Home shows the same.
  await notifier
    .transferPaused({ workspace, id })
    .catch((error: unknown) => log.warn({ ...context, err: error }, 'card not updated'));
}

/** Ends a pause and queues the transfers that wait for that, both or neither. Resolves with false if it wasn't paused. */
export function resumeTransfers(services: TransferServices, admin: Actor, target: PauseTarget): Promise<boolean> {
  return resume(services, admin, target, async (client) => {
    const kinds = transferKinds.filter((kind) => services.kinds[kind].pausedBy === target);
    const waiting = await transfersIn(services.store).listQueued(client, admin, kinds);
    for (const transfer of waiting) await queueTransfer(services, transfer, client);
    return waiting.length;
  });
}
