import type pg from 'pg';
import { accountQueue } from '../../../jobs/index.ts';
import type { Services } from '../../common/services.ts';
import { requestJobKind } from '../kinds/request/jobs.ts';
import { sendJobKind } from '../kinds/send/jobs.ts';
import type { Transfer } from '../repository.ts';

const kinds = { send: sendJobKind, request: requestJobKind };

/** Queues a transfer's job, or queues it again at its earlier position in the account's queue. */
export async function queueTransfer(
  { queue }: Pick<Services, 'queue'>,
  { id, kind, account, createdAt }: Pick<Transfer, 'id' | 'kind' | 'account' | 'createdAt'>,
  within: pg.ClientBase,
): Promise<void> {
  const options = { queue: accountQueue('transfers', account), key: `${kind} ${id}`, runAt: createdAt, within };
  await queue.add(kinds[kind], { transfer: id }, options);
}
