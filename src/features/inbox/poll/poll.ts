import { isDroplineError } from '../../../errors.ts';
import { isExchangeError } from '../../../exchange/index.ts';
import { inTransaction } from '../../../store/index.ts';
import { outcomeOf } from '../../common/audited.ts';
import { connectionOf } from '../../common/connection/connection.ts';
import type { Services } from '../../common/services.ts';
import { askToAnnounce, askToAnnounceLater } from '../announce/job.ts';
import { itemsIn } from '../items/repository.ts';
import {
  expectTurn,
  giveTurnBack,
  pausePolling,
  pollFailed,
  pollSucceeded,
  type Turn,
  TurnLostError,
} from './repository.ts';

/** Polls one workspace's inbox and records what is new. Never rejects: the next turn retries. */
export async function pollOnce(services: Services, turn: Turn, everyMs: number, signal: AbortSignal): Promise<void> {
  try {
    await readAndRecord(services, turn, everyMs, signal);
  } catch (error) {
    await recordFailure(services, turn, everyMs, signal, error).catch((failure: unknown) => {
      if (failure instanceof TurnLostError) return;
      services.log.warn(
        { workspace: turn.workspace, operation: 'poll', err: failure },
        'could not record poll failure',
      );
    });
  }
}

async function readAndRecord(services: Services, turn: Turn, everyMs: number, signal: AbortSignal): Promise<void> {
  const { store, log } = services;
  const { workspace } = turn;
  const { exchange } = await connectionOf(services, workspace);
  const { account } = exchange;
  const isBaseline = account !== turn.account;
  const unless = isBaseline ? undefined : turn.digest;
  const { items, digest } = await exchange.readInbox({ unless, signal });
  if (items === undefined) return pollSucceeded(store.pool, turn, everyMs, { account, digest });
  // The digest is stored in the same transaction as the items, so that a lost reading is repeated.
  await inTransaction(store.pool, async (client) => {
    const recorded = await itemsIn(store, workspace, account).record(
      client,
      items,
      isBaseline,
      isBaseline ? undefined : turn.leftOutUntil,
    );
    const { fresh, changed, moved, waiting, unusable, leftOut, leftOutUntil } = recorded;
    await pollSucceeded(client, turn, everyMs, { account, digest, leftOut, leftOutUntil });
    if (isBaseline) await askToAnnounce(services, workspace, client, 'baseline');
    if (changed + waiting > 0) await askToAnnounce(services, workspace, client, 'news');
    if (moved > 0) await askToAnnounceLater(services, workspace, services.timing.gonePauseMs, { within: client });
    const line = { workspace, operation: 'poll', fresh, changed, unusable, leftOut };
    if (leftOut > 0) log.warn(line, 'inbox has more items than the limit');
    else if (unusable > 0) log.warn(line, 'inbox has items with unusable urls');
    else if (fresh + changed > 0) log.info(line, 'inbox changed');
  });
}

async function recordFailure(
  services: Services,
  turn: Turn,
  everyMs: number,
  signal: AbortSignal,
  error: unknown,
): Promise<void> {
  const { log, notifier } = services;
  const { pool } = services.store;
  const { workspace } = turn;
  if (error instanceof TurnLostError) return;
  if (signal.aborted) return giveTurnBack(pool, turn);
  // A reconnect continues from this row; the workspace's purge deletes it.
  if (isDroplineError(error, 'not-connected')) return pausePolling(pool, turn, error.code);
  log.warn({ workspace, operation: 'poll', failures: turn.failures + 1, err: error }, 'poll failed');
  if (!isExchangeError(error, 'credentials-refused')) return pollFailed(pool, turn, everyMs, outcomeOf(error));
  // No alarm about a key that has already been replaced.
  await expectTurn(pool, turn);
  // Notify the admin before pausing. Otherwise polling could stay paused without anyone knowing.
  await notifier.alarm(workspace, { kind: 'credentials-refused' });
  await pausePolling(pool, turn, error.code);
}
