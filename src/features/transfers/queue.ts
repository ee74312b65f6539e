import type pg from 'pg';
import { accountQueue, type JobKind, jobKind } from '../../jobs/index.ts';
import type { Services } from '../common/services.ts';
import type { Transfer, TransferKind } from './transfer.ts';

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
 * position is the end of the queue.
 */
export async function queueTransfer(
  { queue }: Pick<Services, 'queue'>,
  { id, kind, account, createdAt: runAt }: Pick<Transfer, 'id' | 'kind' | 'account'> & { createdAt?: Date },
  within: pg.ClientBase,
): Promise<void> {
  const options = { queue: accountQueue('transfers', account), key: `${kind} ${id}`, runAt, within };
  await queue.add(transferJobKind(kind), { transfer: id }, options);
}
