import { isDroplineError } from '../../errors.ts';
import { accountQueue, handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import { withPlainLock } from '../account-lock.ts';
import { connectionOf } from '../connection.ts';
import { guarded } from '../guarded.ts';
import type { Services } from '../services.ts';
import { forgetContacts } from './lists.ts';
import { reconcileOpenEdits } from './reconcile.ts';

/** It fails once and comes again in half a minute, for as long as it takes: the engine would wait longer and longer. */
const settling = jobKind('contacts-settle', ['workspace'], { attempts: 1, isLong: true });
const pauseMs = 30_000;

/** Has an edit that was given up in the middle settled as soon as the service can be asked. */
export async function reconcileLater(services: Services, workspace: string): Promise<void> {
  const { exchange } = await connectionOf(services, workspace);
  const queue = accountQueue('contacts', exchange.account);
  const runAt = new Date(Date.now() + pauseMs);
  await services.queue.add(settling, { workspace }, { queue, key: `contacts-settle ${workspace}`, runAt });
}

export function reconcileJob(services: Services): JobHandler {
  return handlerOf<{ workspace: string }>({
    kind: settling,
    async run({ workspace }, context) {
      const { exchange } = await connectionOf(services, workspace);
      await withPlainLock(services.store, 'contacts', exchange.account, context, (guard) =>
        reconcileOpenEdits(services, guarded(exchange, guard), guard.signal),
      );
      forgetContacts(services, exchange.account);
    },
    async giveUp({ workspace }, error) {
      // Whoever leaves has everything settled by the job that forgets the workspace.
      if (!isDroplineError(error, 'not-connected')) await reconcileLater(services, workspace);
    },
  });
}
