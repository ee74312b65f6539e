import type pg from 'pg';
import { bounds } from '../../../lib/bounds.ts';
import type { Actor, Services } from '../../common/services.ts';
import { durationUntil } from '../../settings/expiry.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { readSettings } from '../../settings/repository.ts';
import {
  attachedTooLong,
  plannedAfterExpiry,
  plannedTooEarly,
  plannedTooLate,
  tooManyPlanned,
  transferNotFound,
} from '../errors.ts';
import type { TransferServices } from '../kind.ts';
import { endTransfer } from '../outcome/end.ts';
import { queueTransfer } from '../queue.ts';
import { isOfDesk, transfersIn } from '../repository.ts';
import { unqueuedStates } from '../states.ts';
import { filesOf, type Transfer, type TransferContent } from '../transfer.ts';

/** Added if a recipient is new: a wrong address is most likely then. */
const newRecipientSeconds = 50;

/** How long a confirmed transfer can be undone before anything leaves, in milliseconds. */
export async function undoMs(
  services: TransferServices,
  actor: Actor,
  { hasNewRecipient }: TransferContent,
): Promise<number> {
  const { undoSeconds } = await readSettings(services, actor);
  if (undoSeconds === 0) return 0;
  const seconds = undoSeconds + (hasNewRecipient === true ? newRecipientSeconds : 0);
  return Math.min(seconds * 1000, services.timing.longestUndoMs);
}

const daySeconds = 86_400;

/** Throws if the transfer can't go at this time, in seconds since 1970. */
export async function expectPlannable(
  services: TransferServices,
  actor: Actor,
  content: TransferContent,
  plannedFor: number,
): Promise<void> {
  const now = Date.now() / 1000;
  if (plannedFor < now + 60) throw plannedTooEarly();
  if (plannedFor > now + bounds.plannedDays * daySeconds) throw plannedTooLate();
  const { workspace, person } = actor;
  const planned = await transfersIn(services.store).listActiveStates({ workspace, person, states: ['planned'] });
  if (planned.length >= bounds.plannedPerPerson) throw tooManyPlanned();
  const attached = filesOf(content).filter(({ isUnshared }) => isUnshared === true);
  if (attached.length > 0 && plannedFor > now + daySeconds) throw attachedTooLong(attached.map(({ name }) => name));
  const { expiryUnit } = await readSettings(services, actor);
  const zone = await services.people.zoneOf(actor);
  const { expiryDate } = content;
  if (expiryDate !== undefined && durationUntil(expiryDate, expiryUnit, zone, plannedFor * 1000) === undefined)
    throw plannedAfterExpiry();
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

/**
 * Marks the planned transfers whose file was deleted in Slack. They can't be sent any more as confirmed. Resolves
 * with their ids.
 */
export async function markFileDeleted({ store }: TransferServices, workspace: string, file: string): Promise<string[]> {
  const marked: string[] = [];
  const repository = transfersIn(store);
  for (const { id } of await repository.listActiveStates({ workspace, states: unqueuedStates })) {
    const changed = await repository.change(id, async ({ progress: { deleted = [] }, ...transfer }) => {
      const name = filesOf(transfer).find((one) => one.id === file)?.name;
      if (transfer.plannedFor === undefined || name === undefined || deleted.includes(name)) return undefined;
      return { progress: { deleted: [...deleted, name] } };
    });
    if (changed !== undefined) marked.push(id);
  }
  return marked;
}

/** Reads the person's own transfer. Throws if it is another person's, even for admins. */
export async function readOwn(
  services: Pick<Services, 'store' | 'people'>,
  actor: Actor,
  id: string,
): Promise<Transfer> {
  const { may } = await expectAllowed(services, actor, 'view');
  const transfer = await transfersIn(services.store).read(id);
  if (!isOfDesk(transfer, actor) || !may('own', transfer)) throw transferNotFound();
  return transfer;
}
