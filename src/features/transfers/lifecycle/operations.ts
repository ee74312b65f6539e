import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { type Desk, defineCollection, inTransaction } from '../../../store/index.ts';
import { audited } from '../../common/audited.ts';
import { connectionOf } from '../../common/connection.ts';
import type { Actor, Services } from '../../common/services.ts';
import type { Chosen } from '../../contacts/list/ids.ts';
import { expectNotPaused } from '../../pause/checks.ts';
import { expectAllowed, rightsOf } from '../../settings/permission.ts';
import { approvalToAsk, expectFewWaiting } from '../approval/checks.ts';
import { askForApproval, endWaiting } from '../approval/jobs.ts';
import { alreadyRetried, stillActive, tooLateToCancel, tooLateToUndo, transferNotFound } from '../errors.ts';
import { expectReleased } from '../holds/repository.ts';
import type { Kind, TransferServices } from '../kind.ts';
import { queueTransfer } from '../queue.ts';
import { isOfDesk, type NewTransfer, retryIdOf, transfersIn } from '../repository.ts';
import { auditContentOf, type ContentOf, type Transfer, type TransferContent, transferContent } from '../transfer.ts';
import { endPlanned, expectPlannable, readOwn, undoMs } from './planned.ts';

const review = z.object({
  person: z.string(),
  /** Nothing is sent from another account, for example after an admin has connected one. */
  account: z.string(),
  content: transferContent,
  /** What was selected in the form, to restore it on Back. `content.recipients` also has the members of the groups. */
  chosen: z.object({ recipients: z.array(z.string()), groups: z.array(z.string()) }),
});
const reviews = defineCollection('review', review);
const reviewTtlMs = 3_600_000;

/** The review that was confirmed in a modal, by the kind and the modal's id. */
const confirmedInModal = defineCollection('confirmed-in-modal', z.string());

/** Stores a review, so that exactly what it shows can be confirmed, once. Resolves with the id of the review. */
export async function storeReview(
  { store }: Pick<Services, 'store'>,
  { workspace, account, person }: Actor & Required<Desk>,
  content: TransferContent,
  chosen: Chosen,
): Promise<string> {
  const reviewId = randomUUID();
  const value = {
    person,
    account,
    content,
    chosen: { recipients: [...chosen.recipients], groups: [...chosen.groups] },
  };
  await store.collection(reviews).set(workspace, value, { name: reviewId, ttlMs: reviewTtlMs });
  return reviewId;
}

export interface ConfirmOptions {
  /** The note to the approvers. */
  note?: string;
  /** The id of the modal. */
  form?: string;
  /** When it should go, in seconds since 1970; undefined for at once. */
  plannedFor?: number;
}

export interface Confirmed {
  id: string;
  /** How many transfers of the account are sent before this one. */
  ahead: number;
  /** Whether another person has to approve it first. */
  needsApproval: boolean;
}

/**
 * Adds the transfer of a review and its job. Confirming a review twice is rejected: it is already used. So is another
 * review in the same modal (`form`): if an answer is late, the person submits the form again and gets a second review.
 * `inSameTransaction` runs before the commit.
 */
export async function confirm<T extends Transfer>(
  services: TransferServices,
  actor: Actor,
  kind: Kind<T>,
  { reviewId, note = '', form, plannedFor }: { reviewId: string } & ConfirmOptions,
  inSameTransaction: (client: pg.PoolClient, content: ContentOf<T>) => Promise<unknown> = async () => {},
): Promise<Confirmed> {
  await kind.expectAllowed(services, actor);
  const collection = services.store.collection(reviews);
  const review = await readReview(services, actor, kind, reviewId);
  if (review === undefined) {
    throw (await isConfirmed(services, actor, reviewId)) ? kind.reviewUsed() : kind.reviewExpired();
  }
  const onDesk = { ...actor, account: review.account };
  if (plannedFor !== undefined) await expectPlannable(services, onDesk, review.content, plannedFor);
  const content = { ...review.content, plannedFor };
  const approval = await approvalToAsk(services, onDesk, content, note);
  // The sender of an approved transfer isn't there any more when it starts.
  const wait = approval === undefined ? await undoMs(services, onDesk, content) : 0;
  // A transfer that wasn't sent can be confirmed again once.
  const retried = 'after' in content ? content.after : undefined;
  const id = retried === undefined ? reviewId : retryIdOf(retried);
  const ahead = await enqueue(services, onDesk, kind, { id, content, approval, undoMs: wait }, async (client) => {
    // Confirming and closing the review can race: only the first succeeds.
    if ((await collection.take(actor.workspace, reviewId, client)) === undefined) throw kind.reviewExpired();
    if (form !== undefined) await expectFirstInModal(services, actor, kind, { reviewId, form }, client);
    await inSameTransaction(client, content);
  });
  return { id, ahead, needsApproval: approval !== undefined };
}

/** The person's own review; undefined if there is none with this id. */
async function readReview<T extends Transfer>(
  { store }: Pick<Services, 'store'>,
  actor: Actor,
  { name }: Kind<T>,
  reviewId: string,
): Promise<{ account: string; content: ContentOf<T>; chosen: Chosen } | undefined> {
  const review = isId(reviewId) ? await store.collection(reviews).get(actor.workspace, reviewId) : undefined;
  if (review?.person !== actor.person) return undefined;
  const { account, content, chosen } = review;
  if ((actor.account ?? account) !== account) return undefined;
  return isOfKind<ContentOf<T>>(content, name) ? { account, content, chosen } : undefined;
}

async function expectFirstInModal(
  { store }: Pick<Services, 'store'>,
  { workspace }: Actor,
  kind: Kind,
  { reviewId, form }: { reviewId: string; form: string },
  within: pg.PoolClient,
): Promise<void> {
  const options = { name: nameInModal(kind, form), ttlMs: reviewTtlMs, within };
  const first = await store.collection(confirmedInModal).update(workspace, (earlier) => earlier ?? reviewId, options);
  if (first !== reviewId) throw kind.reviewUsed();
}

const nameInModal = ({ name }: Pick<Kind, 'name'>, form: string) => `${name} ${form}`;

/** What was entered in the form of a review; undefined if the person has no review with this id. */
export async function readEntered<T extends Transfer>(
  services: Pick<Services, 'store'>,
  actor: Actor,
  kind: Kind<T>,
  reviewId: string,
): Promise<(ContentOf<T> & { chosen: Chosen }) | undefined> {
  const review = await readReview(services, actor, kind, reviewId);
  return review && { ...review.content, chosen: review.chosen };
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

async function isConfirmed(services: Services, actor: Actor, reviewId: string): Promise<boolean> {
  const transfer = await transfersIn(services.store).read(reviewId);
  return isOfDesk(transfer, actor) && (await rightsOf(services, actor)).may('own', transfer);
}

/** What a transfer begins with. */
type Beginning = Pick<NewTransfer, 'id' | 'content' | 'progress' | 'approval' | 'undoMs'>;

/**
 * Adds a transfer and its job, both or neither. A transfer that needs approval gets its job when it is approved.
 * Resolves with how many transfers of the account are before it. `inSameTransaction` runs before the commit.
 */
export async function enqueue(
  services: TransferServices,
  actor: Actor,
  kind: Kind,
  beginning: Beginning,
  inSameTransaction: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<number> {
  const { store } = services;
  const { id, content, approval, undoMs: undoTime = 0 } = beginning;
  const { account } = (await connectionOf(services, actor)).exchange;
  const { workspace, person } = actor;
  await expectReleased(store.pool, account);
  await expectNotPaused(services, actor, kind.pausedBy);
  await inTransaction(store.pool, async (client) => {
    const asked = approval?.decision === undefined ? approval : undefined;
    if (asked !== undefined) await expectFewWaiting(services, { workspace, person }, client);
    const state =
      asked !== undefined ? 'approval' : content.plannedFor !== undefined || undoTime > 0 ? 'planned' : 'waiting';
    const inserted = await transfersIn(store).insert(client, { ...beginning, workspace, person, account, state });
    if (inserted === undefined)
      throw 'after' in content && content.after !== undefined ? alreadyRetried() : kind.reviewUsed();
    await inSameTransaction(client);
    if (asked === undefined)
      await queueTransfer(services, { id, kind: kind.name, account, startsAt: inserted.startsAt }, client);
    else await askForApproval(services, { ...content, id, workspace, account, person }, asked, client);
  });
  return transfersIn(store).countAhead(id);
}

/** Reads a person's own transfer to repeat it. Throws if it is another person's, even for admins, or hasn't ended. */
export async function readRepeatable<T extends Transfer>(
  services: Pick<Services, 'store' | 'people'>,
  actor: Actor,
  { name }: Kind<T>,
  id: string,
): Promise<T> {
  const transfer = await readOwn(services, actor, id);
  if (!isOfKind<T>(transfer, name)) throw transferNotFound();
  if (transfer.endedAt === undefined) throw stillActive();
  return transfer;
}

const isOfKind = <T extends { kind: string }>(of: { kind: string }, name: string): of is T => of.kind === name;

/** Cancels a transfer that isn't sent yet. If it waits for approval, it ends at once; otherwise its job ends it. */
export function cancelTransfer(services: TransferServices, actor: Actor, id: string): Promise<void> {
  return audited(services, actor, 'cancel', async ({ addDetails, record }) => {
    addDetails({ transfer: id });
    const transfer = await transfersIn(services.store).read(id);
    if (!isOfDesk(transfer, actor)) throw transferNotFound();
    await expectAllowed(services, actor, 'change', transfer);
    addDetails(auditContentOf(transfer));
    const cancelledBy = actor.person;
    const awaitsApproval = transfer.state === 'approval';
    if (awaitsApproval && (await endWaiting(services, transfer, 'cancelled', { cancelledBy }, record))) return;
    if (transfer.state === 'planned' && (await endPlanned(services, transfer, cancelledBy, record))) return;
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

/**
 * Cancels the person's own transfer before it starts. `form`: the modal in which the person does this. It gets the form
 * again, so it no longer shows the transfer, and another review can be confirmed in it.
 */
export function undoTransfer(services: TransferServices, actor: Actor, id: string, form?: string): Promise<void> {
  return audited(services, actor, 'cancel', async ({ addDetails, record }) => {
    const { store, kinds } = services;
    const transfer = await readOwn(services, actor, id);
    addDetails({ transfer: id, ...auditContentOf(transfer) });
    if (form !== undefined) await transfersIn(store).updateLocations(id, () => ({ dialog: undefined }));
    if (!(await endPlanned(services, transfer, actor.person, record))) throw tooLateToUndo();
    if (form === undefined) return;
    await store.collection(confirmedInModal).delete(actor.workspace, nameInModal(kinds[transfer.kind], form));
  });
}
