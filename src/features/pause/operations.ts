import type pg from 'pg';
import { bounds } from '../../lib/bounds.ts';
import { inTransaction } from '../../store/index.ts';
import { audited } from '../common/audited.ts';
import { connectionOf } from '../common/connection.ts';
import type { Actor, Services } from '../common/services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { alreadyPaused, reasonMissing, reasonTooLong } from './errors.ts';
import { type Pauses, type PauseTarget, pausesIn } from './repository.ts';

export async function readPauses(services: Services, admin: Actor): Promise<Pauses> {
  await expectAllowed(services, admin, 'admin');
  return pausesIn(services.store).read(admin);
}

/** Stops sending, requests or downloads in the workspace, for everyone, until an admin resumes it. */
export function pause(services: Services, admin: Actor, target: PauseTarget, reason: string): Promise<void> {
  return audited(services, admin, 'pause', async ({ addDetails, record }) => {
    addDetails({ target, reason });
    await expectAllowed(services, admin, 'admin');
    if (reason === '') throw reasonMissing();
    if (reason.length > bounds.pauseReasonChars) throw reasonTooLong(bounds.pauseReasonChars);
    // Without a connection, nothing would delete the pause later: only disconnecting does.
    const { exchange } = await connectionOf(services, admin);
    const { workspace, person } = admin;
    const key = { workspace, account: exchange.account };
    await inTransaction(services.store.pool, async (client) => {
      const isNew = await pausesIn(services.store).insert(client, key, target, { reason, person });
      if (!isNew) throw alreadyPaused(target);
      await record(client);
    });
    services.metrics?.count('dropline_pauses_total', { target, change: 'paused' });
  });
}

/**
 * Ends a pause. Resolves with false if it wasn't paused.
 *
 * @param queueWaiting queues what waited, in the same transaction. Resolves with how many
 */
export function resume(
  services: Services,
  admin: Actor,
  target: PauseTarget,
  queueWaiting: (client: pg.PoolClient) => Promise<number>,
): Promise<boolean> {
  return audited(services, admin, 'resume', async ({ addDetails, record, skipEntry }) => {
    addDetails({ target });
    await expectAllowed(services, admin, 'admin');
    const { store } = services;
    const isResumed = await inTransaction(store.pool, async (client) => {
      if (!(await pausesIn(store).delete(client, admin, target))) return false;
      await record(client, { queued: await queueWaiting(client) });
      return true;
    });
    // A second click has nothing to resume and nothing to record.
    if (isResumed) services.metrics?.count('dropline_pauses_total', { target, change: 'resumed' });
    else skipEntry();
    return isResumed;
  });
}
