import { audited } from '../../common/audited.ts';
import { connectionOf } from '../../common/connection.ts';
import type { Actor, Services } from '../../common/services.ts';
import { expectAllowed, rightsOf } from '../../settings/permission.ts';
import { transferNotFound } from '../errors.ts';
import { expectReleased } from '../holds/repository.ts';
import type { TransferServices } from '../kind.ts';
import { queueTransfer } from '../queue.ts';
import { allOf, isOfDesk, transfersIn } from '../repository.ts';
import { auditContentOf, type Decision, type Transfer } from '../transfer.ts';
import { countApproval, endWaiting, isOver, queueEnd } from './jobs.ts';

/** A transfer that the person can decide on, or whose decision the person can see. */
export async function readForApprover(services: Services, actor: Actor, id: string): Promise<Transfer> {
  const transfer = await transfersIn(services.store).read(id);
  if (!isOfDesk(transfer, actor) || transfer.approval === undefined) throw transferNotFound();
  await expectAllowed(services, actor, 'approve', transfer);
  return transfer;
}

export interface Decided {
  /** False if someone else decided first, the time to decide is over, or the transfer has ended. */
  isFirst: boolean;
  transfer: Transfer;
}

/** Approves the transfer and queues its job, both or neither. Only the first decision on a transfer counts. */
export function approve(services: TransferServices, actor: Actor, id: string): Promise<Decided> {
  return audited(services, actor, 'approve', async ({ addDetails, record, recordTried }) => {
    addDetails({ transfer: id });
    const transfer = await readForApprover(services, actor, id);
    addDetails(auditContentOf(transfer));
    await connectionOf(services, actor);
    await expectReleased(services.store.pool, transfer.account);
    const approved = await transfersIn(services.store).change(id, async (current, client) => {
      const { state, approval } = current;
      if (state !== 'approval' || approval === undefined || isOver(current)) return undefined;
      const { kind, account, startsAt } = current;
      const isPlanned = startsAt !== undefined && startsAt.getTime() > Date.now();
      await queueTransfer(services, { id, kind, account, startsAt: isPlanned ? startsAt : undefined }, client);
      await queueEnd(services, current, client);
      await record(client);
      const decision: Decision = { is: 'approved', by: actor.person, at: Date.now() };
      return { step: isPlanned ? 'approvePlanned' : 'approve', approval: { ...approval, decision } };
    });
    if (approved === undefined) await recordTried('decided');
    else countApproval(services, 'approved');
    return readAndLogDecided(services, transfer, approved !== undefined);
  });
}

/** Ends the transfer without sending it. */
export function decline(services: TransferServices, actor: Actor, id: string, reason: string): Promise<Decided> {
  return audited(services, actor, 'decline', async ({ addDetails, record, recordTried }) => {
    addDetails({ transfer: id, reason });
    const transfer = await readForApprover(services, actor, id);
    addDetails(auditContentOf(transfer));
    const { approval } = transfer;
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
async function readAndLogDecided(services: Services, { id: transferId }: Transfer, isFirst: boolean): Promise<Decided> {
  const transfer = await transfersIn(services.store).read(transferId);
  if (transfer === undefined) throw transferNotFound();
  const { id, workspace, person, approval } = transfer;
  const { decision } = approval ?? {};
  const context = { workspace, person, operation: 'approval', transfer: id };
  if (isFirst) services.log.info({ ...context, outcome: decision?.is, by: decision?.by }, 'approval decided');
  return { isFirst, transfer };
}

/** Other people's transfers that wait for this person's approval, oldest first. */
export async function waitingApprovals(services: Services, actor: Actor, limit: number): Promise<Transfer[]> {
  const { workspace, account, person } = actor;
  const filter = { workspace, account, notOf: person, states: ['approval'] as const };
  // Reads the content only for an approver.
  if ((await transfersIn(services.store).listActiveStates({ ...filter, limit: 1 })).length === 0) return [];
  return (await rightsOf(services, actor)).may('approve')
    ? allOf(transfersIn(services.store).active({ ...filter, limit }))
    : [];
}
