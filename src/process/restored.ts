import { randomUUID } from 'node:crypto';
import { editsIn } from '../features/contacts/edit/repository.ts';
import { markRestored } from '../features/inbox/poll/repository.ts';
import { transferKinds } from '../features/transfer-kinds.ts';
import { endOpenTransfers } from '../features/transfers/lifecycle/restored.ts';
import { openQueue } from '../jobs/index.ts';
import { createLog } from '../lib/log.ts';
import { UsageError } from '../lib/usage.ts';
import { operator, type Store } from '../store/index.ts';
import { withStore } from './store-commands.ts';

/**
 * After the database was restored from a backup, before the start: what was open in the backup can have been done since
 * then, so none of it is done again. The bot tells people once it runs.
 */
export function restored(env: NodeJS.ProcessEnv): Promise<void> {
  return withStore(env, async (store) => {
    await expectStopped(store);
    const transfers = await endOpen(store);
    const edits = await editsIn(store).forgetOpen();
    await markRestored(store.pool);
    await recordInAudit(store, [...transfers, ...edits]);
    process.stdout.write(
      `Marked as unconfirmed: transfers ${transfers.length}, contact changes ${edits.length}\nYou can start Dropline now.\n`,
    );
  });
}

/** Every worker holds a lock. */
async function expectStopped({ pool }: Store): Promise<void> {
  const { rowCount } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
       and database = (select oid from pg_database where datname = current_database())`,
  );
  if (rowCount !== 0) throw new UsageError('Stop Dropline first: a worker is running.');
}

async function endOpen(store: Store): Promise<string[]> {
  const log = createLog('silent');
  const queue = await openQueue(store.pool, log);
  try {
    return await endOpenTransfers({ store, log, queue, kinds: transferKinds });
  } finally {
    await queue.close();
  }
}

/** Marks the place in every chain, and says how much of each workspace is unconfirmed. */
async function recordInAudit({ chains, audit }: Store, unconfirmed: readonly string[]): Promise<void> {
  const reference = randomUUID();
  for (const workspace of await chains.workspaces()) {
    const details = { unconfirmed: unconfirmed.filter((one) => one === workspace).length };
    await audit.record({ workspace, person: operator, action: 'restore', outcome: 'done', reference, details });
  }
}
