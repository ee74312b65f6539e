import { z } from 'zod';
import { accountQueue } from '../../../jobs/index.ts';
import { audited } from '../../common/audited.ts';
import { connectionOf } from '../../common/connection.ts';
import type { Actor, Services } from '../../common/services.ts';
import { readSettings } from '../../settings/repository.ts';
import { changeDraft } from '../../staging/repository.ts';
import { transferNotFound } from '../errors.ts';
import { expectReleased } from '../holds/repository.ts';
import { requestKind } from '../kinds/request/kind.ts';
import { sendKind } from '../kinds/send/kind.ts';
import type { Kind } from '../operations.ts';
import {
  auditContentOf,
  type Decision,
  hasDetails,
  type TransferKind,
  type TransferWithDetails,
  transfersIn,
} from '../repository.ts';
import { countApproval, endWaiting, isOver, queueEnd } from './jobs.ts';
import { expectApprover, isApprover } from './permission.ts';

const kinds: Record<TransferKind, Kind> = { send: sendKind, request: requestKind };

/** A transfer that the person can decide on, or whose decision the person can see. */
export async function readForApprover(services: Services, actor: Actor, id: string): Promise<TransferWithDetails> {
  const transfer = z.uuid().safeParse(id).success ? await transfersIn(services.store).read(id) : undefined;
  if (transfer?.workspace !== actor.workspace || !hasDetails(transfer) || transfer.details.approval === undefined)
    throw transferNotFound();
  await expectApprover(services, actor, transfer);
  return transfer;
}

export interface Decided {
  /** False if someone else decided first, the time to decide is over, or the transfer has ended. */
  isFirst: boolean;
  transfer: TransferWithDetails;
}

/** Approves the transfer and queues its job, both or neither. Only the first decision on a transfer counts. */
export function approve(services: Services, actor: Actor, id: string): Promise<Decided> {
  return audited(services, actor, 'approve', async ({ addDetails, record, recordTried }) => {
    addDetails({ transfer: id });
    const transfer = await readForApprover(services, actor, id);
    addDetails(auditContentOf(transfer.details));
    await connectionOf(services, actor.workspace);
    await expectReleased(services.store.pool, transfer.account);
    const approved = await transfersIn(services.store).change(id, async (current, client) => {
      const { state, person, account, kind, details } = current;
      const { approval } = details;
      if (state !== 'approval' || approval === undefined || isOver(current) || person === actor.person)
        return undefined;
      const queue = accountQueue('transfers', account);
      const key = `${kind} ${id}`;
      await services.queue.add(kinds[kind].job, { transfer: id }, { queue, key, within: client });
      await queueEnd(services, current, client);
      await record(client);
      const decision: Decision = { is: 'approved', by: actor.person, at: Date.now() };
      return { state: 'waiting', queued: true, details: { approval: { ...approval, decision } } };
    });
    if (approved === undefined) await recordTried('decided');
    else countApproval(services, 'approved');
    return readAndLogDecided(services, transfer, approved !== undefined);
  });
}

/** Ends the transfer without sending it. */
export function decline(services: Services, actor: Actor, id: string, reason: string): Promise<Decided> {
  return audited(services, actor, 'decline', async ({ addDetails, record, recordTried }) => {
    addDetails({ transfer: id, reason });
    const transfer = await readForApprover(services, actor, id);
    addDetails(auditContentOf(transfer.details));
    const { approval } = transfer.details;
    const decision: Decision = { is: 'declined', by: actor.person, at: Date.now(), reason };
    const result = { code: 'declined', message: `Declined: ${reason}`, names: [] };
    // The rules and times change only days after a decision, so the copy that was read is still current.
    const changes = { result, ...(approval === undefined ? {} : { approval: { ...approval, decision } }) };
    const isFirst = await endWaiting(services, transfer, 'declined', changes, record);
    if (!isFirst) await recordTried('decided');
    return readAndLogDecided(services, transfer, isFirst);
  });
}

/** Reads the transfer after a decision, and logs the decision if it counts. */
async function readAndLogDecided(
  services: Services,
  { id: transferId }: TransferWithDetails,
  isFirst: boolean,
): Promise<Decided> {
  const transfer = await transfersIn(services.store).read(transferId);
  if (!hasDetails(transfer)) throw transferNotFound();
  const { id, workspace, person, details } = transfer;
  const { decision } = details.approval ?? {};
  const context = { workspace, person, operation: 'approval', transfer: id };
  if (isFirst) services.log.info({ ...context, outcome: decision?.is, by: decision?.by }, 'approval decided');
  return { isFirst, transfer };
}

/** Other people's transfers that wait for this person's approval, oldest first. */
export async function waitingApprovals(
  services: Services,
  actor: Actor,
  limit: number,
): Promise<TransferWithDetails[]> {
  const { workspace, person } = actor;
  const filter = { workspace, notOf: person, states: ['approval'] as const };
  // Reads the details only for an approver.
  if ((await transfersIn(services.store).listActiveStates({ ...filter, limit: 1 })).length === 0) return [];
  const settings = await readSettings(services, workspace);
  const canApprove = await isApprover(services, settings, actor).catch((error: unknown) => {
    // Home and the status must open even if Slack doesn't list the channel's members.
    services.log.warn({ workspace, person, operation: 'approval', err: error }, 'approver not determined');
    return false;
  });
  return canApprove ? (await transfersIn(services.store).listActive({ ...filter, limit })).filter(hasDetails) : [];
}

/** Copies the content of the person's ended send into the draft. Its files are added to the staged files. */
export async function restoreDraft(services: Services, actor: Actor, id: string): Promise<void> {
  const transfer = z.uuid().safeParse(id).success ? await transfersIn(services.store).read(id) : undefined;
  const isOwn = transfer?.workspace === actor.workspace && transfer.person === actor.person;
  if (!isOwn || transfer.kind !== 'send' || transfer.endedAt === undefined || transfer.details === undefined)
    throw transferNotFound();
  const { recipients, files, message, expiresAfter, expiryDate } = transfer.details;
  const fileIds = files.map((file) => file.id);
  await changeDraft(services, actor, ({ staged, unticked }) => ({
    recipients: recipients.map(({ email }) => email),
    groups: [],
    staged: [...new Set([...staged, ...fileIds])],
    unticked: unticked.filter((id) => !fileIds.includes(id)),
    message,
    expiresAfter,
    expiryDate,
    form: undefined,
  }));
}
