import type pg from 'pg';
import type { Actor } from '../../common/services.ts';
import { readSettings } from '../../settings/repository.ts';
import { transferNotFound } from '../errors.ts';
import type { TransferServices } from '../kind.ts';
import { endTransfer } from '../outcome/end.ts';
import { queueTransfer } from '../queue.ts';
import { transfersIn } from '../repository.ts';
import type { Transfer, TransferContent } from '../transfer.ts';

/** Added if a recipient is new: a wrong address is most likely then. */
const newRecipientSeconds = 50;

/** How long a confirmed transfer can be undone before anything leaves, in milliseconds. */
export async function undoMs(
  services: TransferServices,
  { workspace }: Actor,
  { hasNewRecipient }: TransferContent,
): Promise<number> {
  const { undoSeconds } = await readSettings(services, workspace);
  if (undoSeconds === 0) return 0;
  const seconds = undoSeconds + (hasNewRecipient === true ? newRecipientSeconds : 0);
  return Math.min(seconds * 1000, services.timing.longestUndoMs);
}

/**
 * Ends a transfer whose time to start hasn't come. Its job and this can race: only the first changes the state.
 * Resolves with false if it has started or ended. `record` runs before the commit.
 */
export function endPlanned(
  services: TransferServices,
  transfer: Transfer,
  cancelledBy: string,
  record: (client: pg.PoolClient) => Promise<void>,
): Promise<boolean> {
  const { id, kind, account } = transfer;
  return endTransfer(services, transfer, 'cancelled', { cancelledBy }, ['planned'], async (client) => {
    // Its job shows the end now, even if this process stops.
    await queueTransfer(services, { id, kind, account }, client);
    await record(client);
  });
}

/** Starts the person's own transfer without waiting for its time. Does nothing if it has started or ended. */
export async function startNow(services: TransferServices, actor: Actor, id: string): Promise<void> {
  await readOwn(services, actor, id);
  await transfersIn(services.store).change(id, async ({ kind, account, state }, client) => {
    if (state !== 'planned') return undefined;
    await queueTransfer(services, { id, kind, account }, client);
    return { step: 'sendNow' };
  });
}

export async function readOwn(
  { store }: TransferServices,
  { workspace, person }: Actor,
  id: string,
): Promise<Transfer> {
  const transfer = await transfersIn(store).read(id);
  if (transfer?.workspace !== workspace || transfer.person !== person) throw transferNotFound();
  return transfer;
}
