import type pg from 'pg';
import type { Desk } from '../../store/index.ts';
import type { Services } from '../common/services.ts';
import { paused } from './errors.ts';
import { type PauseTarget, pausesIn } from './repository.ts';

/** Rejects with the admin's reason if the target (sending, requests or downloads) is paused. */
export async function expectNotPaused(
  { store }: Pick<Services, 'store'>,
  desk: Desk,
  target: PauseTarget,
): Promise<void> {
  const pause = (await pausesIn(store).read(desk))[target];
  if (pause !== undefined) throw paused(target, pause);
}

/** The same in a transaction. A resume waits for its end. */
export async function expectNotPausedWithin(
  { store }: Pick<Services, 'store'>,
  desk: Desk,
  target: PauseTarget,
  client: pg.PoolClient,
): Promise<void> {
  const pause = await pausesIn(store).findAndLock(client, desk, target);
  if (pause !== undefined) throw paused(target, pause);
}
