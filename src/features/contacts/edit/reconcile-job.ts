import { isDroplineError } from '../../../errors.ts';
import { accountQueue, handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { withCanonicalLock } from '../../common/connection/account-lock.ts';
import { connectionOf } from '../../common/connection/connection.ts';
import { guarded } from '../../common/connection/guarded.ts';
import type { Services } from '../../common/services.ts';
import { clearCachedContacts } from '../list/lists.ts';
import { reconcileOpenEdits } from './reconcile.ts';

/** A failed job queues a new one after 30 seconds. The engine's own retries would wait longer each time. */
const reconcileKind = jobKind('contacts-settle', ['workspace'], { attempts: 1, isLong: true });
const pauseMs = 30_000;

/** Queues a job that reconciles open edits as soon as the service answers. */
export async function reconcileLater(services: Services, workspace: string): Promise<void> {
  const { exchange } = await connectionOf(services, workspace);
  const queue = accountQueue('contacts', exchange.account);
  const runAt = new Date(Date.now() + pauseMs);
  await services.queue.add(reconcileKind, { workspace }, { queue, key: `contacts-settle ${workspace}`, runAt });
}

export function reconcileJob(services: Services): JobHandler {
  return handlerOf<{ workspace: string }>({
    kind: reconcileKind,
    async run({ workspace }, context) {
      const { exchange } = await connectionOf(services, workspace);
      await withCanonicalLock(services.store, 'contacts', exchange.account, context, (guard) =>
        reconcileOpenEdits(services, guarded(exchange, guard), guard.signal),
      );
      clearCachedContacts(services, exchange.account);
    },
    async giveUp({ workspace }, error) {
      // When a workspace disconnects, the job that deletes its data also reconciles its edits.
      if (!isDroplineError(error, 'not-connected')) await reconcileLater(services, workspace);
    },
  });
}
