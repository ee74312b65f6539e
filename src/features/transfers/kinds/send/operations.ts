import { createHash } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { DroplineError } from '../../../../errors.ts';
import { accountQueue } from '../../../../jobs/index.ts';
import { inTransaction } from '../../../../store/index.ts';
import { audited } from '../../../common/audited.ts';
import { connectionOf } from '../../../common/connection/connection.ts';
import type { Actor, Services } from '../../../common/services.ts';
import { expectAllowed } from '../../../settings/permission.ts';
import { expectReleased } from '../../holds.ts';
import { type TransferDetails, transfersIn } from '../../repository.ts';
import { dispatching } from './job.ts';
import { confirmations, prepareSend, type Review } from './prepare.ts';

export { prepareSend, type Review, type SendDraft } from './prepare.ts';

export interface Confirmed {
  id: string;
  /** How many transfers of the account are sent before it. */
  ahead: number;
}

/** Adds a job that sends what was frozen. A second confirmation is rejected as already used. */
export function confirmSend(services: Services, actor: Actor, confirmation: string): Promise<Confirmed> {
  return audited(services, actor, 'confirm', async ({ note }) => {
    note({ dispatch: confirmation });
    await expectAllowed(services, actor, 'send');
    const frozen = services.store.collection(confirmations);
    const kept = isId(confirmation) ? await frozen.get(actor.workspace, confirmation) : undefined;
    if (kept?.person !== actor.person) throw (await isMade(services, actor, confirmation)) ? used() : expired();
    const { person: _, ...details } = kept;
    const id = details.after === undefined ? confirmation : followerOf(details.after);
    const ahead = await enqueue(services, actor, id, details, async (client) => {
      // Confirming and closing the review can race: only the first succeeds.
      if ((await frozen.take(actor.workspace, confirmation, client)) === undefined) throw expired();
    });
    return { id, ahead };
  });
}

/** Deletes what was frozen, so that it can't be confirmed. Resolves with false if it was already confirmed. */
export async function withdrawConfirmation(services: Services, actor: Actor, confirmation: string): Promise<boolean> {
  if (!isId(confirmation)) return true;
  const kept = await services.store.collection(confirmations).get(actor.workspace, confirmation);
  if (kept?.person === actor.person) await services.store.collection(confirmations).take(actor.workspace, confirmation);
  return !(await isMade(services, actor, confirmation));
}

const isId = (confirmation: string) => z.uuid().safeParse(confirmation).success;

async function isMade({ store }: Services, { workspace, person }: Actor, confirmation: string): Promise<boolean> {
  const made = isId(confirmation) ? await transfersIn(store).read(confirmation) : undefined;
  return made?.workspace === workspace && made.person === person;
}

async function enqueue(
  services: Services,
  actor: Actor,
  id: string,
  details: TransferDetails,
  within: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<number> {
  const { store, queue } = services;
  const { exchange } = await connectionOf(services, actor.workspace);
  const { account } = exchange;
  await expectReleased(store.pool, account);
  // The row's key makes it unique. The row and its job are added together or not at all.
  await inTransaction(store.pool, async (client) => {
    const isNew = await transfersIn(store).insert(client, { id, kind: 'dispatch', ...actor, account, details });
    if (!isNew) throw details.after === undefined ? used() : followed();
    await within(client);
    await queue.add(
      dispatching,
      { transfer: id },
      { queue: accountQueue('outgoing', account), key: `dispatch ${id}`, within: client },
    );
  });
  return transfersIn(store).ahead(id);
}

const expired = () => new DroplineError('not-found', 'This confirmation has expired. Check it and confirm again.');

const used = () => new DroplineError('used', 'This was confirmed before; it is sent once.');

const followed = () =>
  new DroplineError(
    'used',
    'This was tried again before, by its sender or by an admin: its newer card says how it went.',
  );

/** Cancels a transfer that hasn't been sent yet. Its own job reports when it has stopped. */
export function cancelTransfer(services: Services, actor: Actor, id: string): Promise<void> {
  return audited(services, actor, 'cancel', async ({ note }) => {
    note({ transfer: id });
    const transfer = await transfersIn(services.store).read(id);
    if (transfer?.workspace !== actor.workspace) throw new DroplineError('not-found', 'There is no such dispatch.');
    if (transfer.person !== actor.person) await expectAllowed(services, actor, 'admin');
    const cancelled = await transfersIn(services.store).change(id, async ({ state }) =>
      state === 'waiting' || state === 'running' ? { cancelledBy: actor.person } : undefined,
    );
    if (cancelled === undefined)
      throw new DroplineError('too-late', 'It is too late to cancel: it is being sent or has ended.');
    // After failures, its job might not be due for a long time.
    await services.queue.hurry(`${cancelled.kind} ${id}`);
  });
}

/** Prepares the same transfer again, with or without some of its files: a new review to confirm. */
export async function prepareAgain(
  services: Services,
  actor: Actor,
  id: string,
  { without = [] }: { without?: readonly string[] } = {},
): Promise<Review> {
  const { details, state } = await endedTransfer(services, actor, id);
  const { receivers, files, message, timeToLive } = details;
  return prepareSend(services, actor, {
    receivers: receivers.map(({ email }) => email),
    groups: [],
    files: files.filter(({ name }) => !without.includes(name)).map((file) => file.id),
    message,
    timeToLive,
    ...(state === 'sent' ? {} : { after: id }),
  });
}

async function endedTransfer(services: Services, actor: Actor, id: string) {
  const transfer = await transfersIn(services.store).read(id);
  if (transfer?.workspace !== actor.workspace || transfer.person !== actor.person || transfer.details === undefined) {
    throw new DroplineError('not-found', 'There is no such dispatch of yours (any more).');
  }
  if (transfer.endedAt === undefined) throw new DroplineError('invalid', 'It has not ended yet.');
  return { ...transfer, details: transfer.details };
}

/** An admin has reviewed the unexpected files that blocked a transfer: deletes them, then sends what was confirmed. */
export function removeUnexpectedAndSend(services: Services, admin: Actor, id: string): Promise<Confirmed> {
  return audited(services, admin, 'remove foreign files', async ({ note }) => {
    await expectAllowed(services, admin, 'admin');
    const stopped = await transfersIn(services.store).read(id);
    const { result } = stopped?.details ?? {};
    if (stopped?.details === undefined || stopped.workspace !== admin.workspace || result?.code !== 'foreign-files') {
      throw new DroplineError('not-found', 'No dispatch waits for foreign files to be removed.');
    }
    note({ dispatch: id, removed: result.names });
    const { receivers, files, message, timeToLive } = stopped.details;
    const details = { receivers, files, message, timeToLive, removeForeign: result.names, after: id };
    const follower = followerOf(id);
    const ahead = await enqueue(services, { workspace: admin.workspace, person: stopped.person }, follower, details);
    return { id: follower, ahead };
  });
}

/** The same id for every click, by the sender or an admin, so that an unsent transfer is retried only once. */
function followerOf(id: string): string {
  const hex = createHash('sha256').update(`after ${id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
