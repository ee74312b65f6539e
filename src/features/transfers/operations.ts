import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import type { DroplineError } from '../../errors.ts';
import { accountQueue, type JobKind } from '../../jobs/index.ts';
import { defineCollection, inTransaction } from '../../store/index.ts';
import { audited } from '../common/audited.ts';
import { connectionOf } from '../common/connection.ts';
import type { Actor, Services } from '../common/services.ts';
import type { Chosen } from '../contacts/list/ids.ts';
import { expectNotPaused } from '../settings/pause/checks.ts';
import { expectAllowed } from '../settings/permission.ts';
import { approvalToAsk, expectFewWaiting } from './approval/checks.ts';
import { askForApproval, endWaiting } from './approval/jobs.ts';
import { alreadyRetried, stillActive, tooLateToCancel, transferNotFound } from './errors.ts';
import { expectReleased } from './holds/repository.ts';
import { pauseTargetOf } from './pause/checks.ts';
import { queueTransfer } from './pause/jobs.ts';
import {
  auditContentOf,
  hasDetails,
  type TransferDetails,
  type TransferKind,
  type TransferWithDetails,
  transferDetails,
  transferKinds,
  transfersIn,
} from './repository.ts';

/** The differences between a send and a request before their job runs. */
export interface Kind {
  name: TransferKind;
  job: JobKind<{ transfer: string }>;
  /** Throws if the person can't do this now. */
  expectAllowed(services: Services, actor: Actor): Promise<unknown>;
  /** The errors of a review that can't be confirmed. */
  reviewExpired(): DroplineError;
  reviewUsed(): DroplineError;
}

const review = transferDetails.extend({
  person: z.string(),
  /** What was selected in the form, to restore it on Back. The outer `recipients` also has the members of the groups. */
  chosen: z.object({ recipients: z.array(z.string()), groups: z.array(z.string()) }).optional(),
  kind: z.enum(transferKinds),
});
const reviews = defineCollection('review', review);
const reviewTtlMs = 3_600_000;

/** Stores a review, so that exactly what it shows can be confirmed, once. Resolves with the id of the review. */
export async function storeReview(
  { store }: Pick<Services, 'store'>,
  { workspace, person }: Actor,
  kind: Kind,
  details: TransferDetails,
  chosen?: Chosen,
): Promise<string> {
  const reviewId = randomUUID();
  const choice = chosen && { recipients: [...chosen.recipients], groups: [...chosen.groups] };
  const value = { ...details, person, kind: kind.name, chosen: choice };
  await store.collection(reviews).set(workspace, value, { name: reviewId, ttlMs: reviewTtlMs });
  return reviewId;
}

export interface Confirmed {
  id: string;
  details: TransferDetails;
  /** How many transfers of the account are sent before this one. */
  ahead: number;
  /** Whether another person has to approve it first. */
  needsApproval: boolean;
}

/**
 * Adds the transfer of a review and its job. Confirming a review twice is rejected: it is already used.
 * `inSameTransaction` runs before the commit.
 */
export async function confirm(
  services: Services,
  actor: Actor,
  kind: Kind,
  { reviewId, note = '' }: { reviewId: string; note?: string | undefined },
  idOf: (details: TransferDetails) => string = () => reviewId,
  inSameTransaction: (client: pg.PoolClient, details: TransferDetails) => Promise<unknown> = async () => {},
): Promise<Confirmed> {
  await kind.expectAllowed(services, actor);
  const collection = services.store.collection(reviews);
  const stored = isId(reviewId) ? await collection.get(actor.workspace, reviewId) : undefined;
  if (stored?.person !== actor.person || stored.kind !== kind.name) {
    throw (await isConfirmed(services, actor, reviewId)) ? kind.reviewUsed() : kind.reviewExpired();
  }
  const { person: _, kind: __, chosen: ___, approval: ____, ...reviewed } = stored;
  const approval = await approvalToAsk(services, actor, kind.name, reviewed, note);
  const details = approval === undefined ? reviewed : { ...reviewed, approval };
  const id = idOf(details);
  const ahead = await enqueue(services, actor, kind, { id, details }, async (client) => {
    // Confirming and closing the review can race: only the first succeeds.
    if ((await collection.take(actor.workspace, reviewId, client)) === undefined) throw kind.reviewExpired();
    await inSameTransaction(client, details);
  });
  return { id, details, ahead, needsApproval: approval !== undefined };
}

export type Entered = Pick<
  TransferDetails,
  'files' | 'message' | 'expiresAfter' | 'expiryDate' | 'checklist' | 'repeats'
> & { chosen: Chosen };

/** What was entered in the form of a review; undefined if the person has no review with this id. */
export async function readEntered(
  { store }: Pick<Services, 'store'>,
  actor: Actor,
  kind: Kind,
  reviewId: string,
): Promise<Entered | undefined> {
  const stored = isId(reviewId) ? await store.collection(reviews).get(actor.workspace, reviewId) : undefined;
  if (stored?.person !== actor.person || stored.kind !== kind.name) return undefined;
  const { files, message, expiresAfter, expiryDate, recipients, checklist, repeats } = stored;
  const chosen = stored.chosen ?? { recipients: recipients.map(({ email }) => email), groups: [] };
  return { files, message, expiresAfter, expiryDate, checklist, repeats, chosen };
}

/** Withdraws a review to go back to its form. Throws if it was already confirmed. */
export async function withdrawReview(services: Services, actor: Actor, kind: Kind, reviewId: string): Promise<void> {
  if (!(await tryWithdrawReview(services, actor, reviewId))) throw kind.reviewUsed();
}

/** Deletes a review, so that it can't be confirmed. Resolves with false if it was already confirmed. */
export async function tryWithdrawReview(services: Services, actor: Actor, reviewId: string): Promise<boolean> {
  if (!isId(reviewId)) return true;
  const collection = services.store.collection(reviews);
  const stored = await collection.get(actor.workspace, reviewId);
  if (stored?.person === actor.person) await collection.take(actor.workspace, reviewId);
  return !(await isConfirmed(services, actor, reviewId));
}

const isId = (id: string) => z.uuid().safeParse(id).success;

async function isConfirmed({ store }: Services, { workspace, person }: Actor, reviewId: string): Promise<boolean> {
  const transfer = isId(reviewId) ? await transfersIn(store).read(reviewId) : undefined;
  return transfer?.workspace === workspace && transfer.person === person;
}

/**
 * Adds a transfer and its job, both or neither. A transfer that needs approval gets its job when it is approved.
 * Resolves with how many transfers of the account are before it. `inSameTransaction` runs before the commit.
 */
export async function enqueue(
  services: Services,
  { workspace, person }: Actor,
  kind: Kind,
  { id, details }: { id: string; details: TransferDetails },
  inSameTransaction: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<number> {
  const { store, queue } = services;
  const { account } = (await connectionOf(services, workspace)).exchange;
  await expectReleased(store.pool, account);
  await expectNotPaused(services, workspace, pauseTargetOf[kind.name]);
  await inTransaction(store.pool, async (client) => {
    const isUndecided = details.approval !== undefined && details.approval.decision === undefined;
    if (isUndecided) await expectFewWaiting(services, { workspace, person }, client);
    const state = isUndecided ? ('approval' as const) : ('waiting' as const);
    const transfer = { id, kind: kind.name, workspace, person, account, details, state };
    if (!(await transfersIn(store).insert(client, transfer))) {
      throw details.after === undefined ? kind.reviewUsed() : alreadyRetried();
    }
    await inSameTransaction(client);
    if (isUndecided && details.approval !== undefined)
      return askForApproval(services, transfer, details.approval, client);
    const jobOptions = { queue: accountQueue('transfers', account), key: `${kind.name} ${id}`, within: client };
    await queue.add(kind.job, { transfer: id }, jobOptions);
  });
  return transfersIn(store).countAhead(id);
}

/** Reads a person's own transfer to repeat it. Throws if it is another person's, even for admins, or hasn't ended. */
export async function readRepeatable(
  { store }: Pick<Services, 'store'>,
  { workspace, person }: Actor,
  kind: Kind,
  id: string,
): Promise<TransferWithDetails> {
  const transfer = isId(id) ? await transfersIn(store).read(id) : undefined;
  const isOwn = transfer?.workspace === workspace && transfer.person === person && transfer.kind === kind.name;
  if (!isOwn || !hasDetails(transfer)) throw transferNotFound();
  if (transfer.endedAt === undefined) throw stillActive();
  return transfer;
}

/** Cancels a transfer that isn't sent yet. If it waits for approval, it ends at once; otherwise its job ends it. */
export function cancelTransfer(services: Services, actor: Actor, id: string): Promise<void> {
  return audited(services, actor, 'cancel', async ({ addDetails, record }) => {
    addDetails({ transfer: id });
    const transfer = await transfersIn(services.store).read(id);
    if (transfer?.workspace !== actor.workspace) throw transferNotFound();
    if (transfer.person !== actor.person) await expectAllowed(services, actor, 'admin');
    if (hasDetails(transfer)) addDetails(auditContentOf(transfer.details));
    const awaitsApproval = transfer.state === 'approval';
    const cancelledBy = actor.person;
    if (awaitsApproval && (await endWaiting(services, transfer, 'cancelled', { cancelledBy }, record))) return;
    const cancelled = await transfersIn(services.store).change(id, async (current, client) => {
      if (current.state !== 'waiting' && current.state !== 'running') return undefined;
      // A paused transfer has no job. After failures, its job might not be due for a long time.
      if (current.state === 'waiting') await queueTransfer(services, current, client);
      else await services.queue.retryNow(`${current.kind} ${id}`, client);
      await record(client);
      return { cancelledBy };
    });
    if (cancelled === undefined) throw tooLateToCancel();
  });
}
