import type pg from 'pg';
import type { Store } from '../../../store/index.ts';
import { onHold } from '../errors.ts';
import { transfersIn } from '../repository.ts';
import type { Transfer } from '../transfer.ts';

/**
 * - `committing`: the call that sends is about to be made or was made; the next job reconciles the transfer
 * - `unknown`: the outcome couldn't be determined
 * - `difference`: something other than what was confirmed was sent
 *
 * The last two stay until an admin releases them.
 */
export type HoldReason = 'committing' | 'unknown' | 'difference';

export interface Hold {
  transfer: string;
  reason: HoldReason;
  since: Date;
}

type Client = Pick<pg.ClientBase, 'query'>;

export async function holdOf(client: Client, account: string): Promise<Hold | undefined> {
  const { rows } = await client.query<Hold>('select transfer, reason, since from dropline.holds where account = $1', [
    account,
  ]);
  return rows[0];
}

type Held = Pick<Transfer, 'id' | 'workspace' | 'account'>;

/** Fails if the account already has a hold, so that two transfers can never be committing at once. */
export async function hold(client: Client, { id, workspace, account }: Held): Promise<void> {
  await client.query(
    `insert into dropline.holds (workspace, account, transfer, reason) values ($1, $2, $3, 'committing')`,
    [workspace, account, id],
  );
}

/** Changes the reason of the transfer's hold, or adds a hold. Another transfer's hold stays as it is. */
export async function setHold(client: Client, { id, workspace, account }: Held, reason: HoldReason): Promise<void> {
  await client.query(
    `insert into dropline.holds (workspace, account, transfer, reason) values ($1, $2, $3, $4)
     on conflict (account) do update set reason = excluded.reason where holds.transfer = excluded.transfer`,
    [workspace, account, id, reason],
  );
}

export async function endHold(client: Client, account: string, transfer: string): Promise<boolean> {
  const { rowCount } = await client.query('delete from dropline.holds where account = $1 and transfer = $2', [
    account,
    transfer,
  ]);
  return rowCount === 1;
}

/** Marks a `committing` hold as `unknown` if its transfer has ended or was deleted: nothing can reconcile it now. */
export async function giveUpOrphan(store: Pick<Store, 'pool' | 'columnCipher'>, account: string): Promise<void> {
  const currentHold = await holdOf(store.pool, account);
  if (currentHold?.reason !== 'committing' || (await transfersIn(store).isActive(currentHold.transfer))) return;
  // Changes only a hold that is still `committing`. The transfer can't become active again.
  await store.pool.query(
    `update dropline.holds set reason = 'unknown' where account = $1 and transfer = $2 and reason = 'committing'`,
    [account, currentHold.transfer],
  );
}

/**
 * Rejects if an admin has to release the hold first. Ignores a `committing` hold: the next job reconciles that
 * transfer before it sends.
 */
export async function expectReleased(client: Client, account: string): Promise<void> {
  const currentHold = await holdOf(client, account);
  if (currentHold !== undefined && currentHold.reason !== 'committing') throw onHold(currentHold.reason);
}
