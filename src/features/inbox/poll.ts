import { isDroplineError } from '../../errors.ts';
import { isExchangeError } from '../../exchange/index.ts';
import { inTransaction } from '../../store/index.ts';
import { outcomeOf } from '../audited.ts';
import { connectionOf } from '../connection.ts';
import type { Services } from '../services.ts';
import { askToAnnounce } from './announce.ts';
import { itemsOf } from './items.ts';
import { pausePolling, pollFailed, pollSucceeded, stopPolling, type Turn, TurnLostError } from './polls.ts';

/** Looks into one workspace's inbox and notes what is new. Never rejects: the next turn is the next try. */
export async function pollOnce(services: Services, turn: Turn, everyMs: number, signal: AbortSignal): Promise<void> {
  const { store, log } = services;
  const { workspace } = turn;
  try {
    const { exchange } = await connectionOf(services, workspace);
    const { items, digest } = await exchange.readInbox({ unless: turn.digest, signal });
    if (items === undefined) return await pollSucceeded(store.pool, turn, everyMs, digest);
    // The digest is noted with the items or not at all: a reading that was lost is read again.
    await inTransaction(store.pool, async (client) => {
      const ledger = itemsOf(store, workspace, exchange.account);
      const { fresh, changed } = await ledger.record(client, items, turn.isBaseline);
      await pollSucceeded(client, turn, everyMs, digest);
      if (turn.isBaseline || fresh + changed > 0) await askToAnnounce(services, workspace, client, turn.isBaseline);
      if (fresh + changed > 0) log.info({ workspace, operation: 'poll', fresh, changed }, 'inbox changed');
    });
  } catch (error) {
    if (signal.aborted || error instanceof TurnLostError) return; // somebody else has the turn, or will have it
    await noteFailure(services, turn, everyMs, error).catch((failure: unknown) =>
      log.warn({ workspace, operation: 'poll', err: failure }, 'poll not noted'),
    );
  }
}

async function noteFailure(services: Services, turn: Turn, everyMs: number, error: unknown): Promise<void> {
  const { store, audience, log } = services;
  const { workspace } = turn;
  if (isDroplineError(error, 'not-connected')) return stopPolling(store.pool, workspace);
  log.warn({ workspace, operation: 'poll', failures: turn.failures + 1, err: error }, 'poll failed');
  if (!isExchangeError(error, 'credentials-refused')) {
    return pollFailed(store.pool, turn, everyMs, outcomeOf(error));
  }
  // First the admin, then the pause: who was not told would wait for ever.
  await audience.alarm(workspace, { kind: 'credentials-refused' });
  await pausePolling(store.pool, workspace, error.code);
}
