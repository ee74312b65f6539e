import type pg from 'pg';
import { handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { referenceOf } from '../../../lib/errors.ts';
import type { DeskIds } from '../../../store/index.ts';
import type { Services } from '../../common/services.ts';
import { approversKind } from '../../settings/jobs.ts';
import type { TransferServices } from '../kind.ts';
import { endTransfer, notifyEnd } from '../outcome/end.ts';
import { transfersIn } from '../repository.ts';
import type { End } from '../states.ts';
import { type Approval, auditContentOf, type Transfer, type TransferContent } from '../transfer.ts';
import { rulesText } from './rules.ts';

const approvalKind = jobKind('approval', ['workspace', 'transfer']);

type Subject = Pick<Transfer, 'id' | 'workspace'>;

/** Queues the job that asks the approvers, and the one that ends the wait. */
export async function askForApproval(
  services: Pick<Services, 'store' | 'queue' | 'log' | 'metrics'>,
  transfer: Subject & TransferContent & { account: string; person: string },
  { rules, until }: Approval,
  within: pg.PoolClient,
): Promise<void> {
  const { id, workspace, account, person } = transfer;
  await services.queue.add(approvalKind, { workspace, transfer: id }, { key: `approval ${id}`, within });
  await queueEnd(services, { id, workspace }, within, new Date(until));
  const content = { ...auditContentOf(transfer), rules: rulesText(rules) };
  const entry = { workspace, account, person, outcome: 'done', reference: id, details: content };
  await services.store.audit.record({ ...entry, action: 'ask for approval' }, within);
  services.log.info({ workspace, person, operation: 'approval', transfer: id, rules }, 'approval requested');
  countApproval(services, 'asked');
}

/**
 * Makes a transfer wait for approval again. The caller has already deleted its uploads. The approvers get new cards:
 * the earlier ones show the earlier decision. Resolves with false if the transfer was cancelled.
 */
export async function renewApproval(services: Services, { id }: Transfer, renewed: Approval): Promise<boolean> {
  const asked = await transfersIn(services.store).change(id, async (current, client) => {
    if (current.cancelledBy !== undefined) return undefined;
    await askForApproval(services, current, renewed, client);
    // An admin allowed to delete the unexpected files of that time. Until the approval, there can be others.
    const progress = { removeUnexpected: [] };
    return { step: 'askAgain', approval: { ...renewed, isRenewed: true }, progress, locations: { approverCards: [] } };
  });
  return asked !== undefined;
}

/** Replaces the job that ends the wait. Without a time it runs now, and shows the decision on all cards. */
export async function queueEnd(
  { queue }: Pick<Services, 'queue'>,
  { id, workspace }: Subject,
  within: pg.ClientBase,
  runAt?: Date,
): Promise<void> {
  await queue.add(approvalKind, { workspace, transfer: id }, { key: `approval-end ${id}`, runAt, within });
}

/**
 * Ends a transfer that waits for approval. Resolves with false if it was decided or has ended before.
 * `inSameTransaction` runs before the commit.
 */
export async function endWaiting(
  services: Pick<TransferServices, 'store' | 'log' | 'queue' | 'metrics' | 'kinds'>,
  transfer: Transfer,
  end: End & ('cancelled' | 'declined' | 'expired'),
  changes: Parameters<typeof endTransfer>[3] = {},
  inSameTransaction: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<boolean> {
  const isEnded = await endTransfer(services, transfer, end, changes, ['approval'], async (client) => {
    await queueEnd(services, transfer, client);
    await inSameTransaction(client);
  });
  if (isEnded) countApproval(services, end);
  return isEnded;
}

export function countApproval({ metrics }: Pick<Services, 'metrics'>, outcome: string): void {
  metrics?.count('dropline_approvals_total', { outcome });
}

/** Shows approvers and sender the current state of an approval, and ends the wait when its time is over. */
export function approvalJob(services: TransferServices): JobHandler {
  const repository = transfersIn(services.store);
  return handlerOf<{ workspace: string; transfer: string }>({
    kind: approvalKind,
    async run({ workspace, transfer: id }) {
      const transfer = await repository.read(id);
      if (transfer?.approval === undefined) return; // deleted with its workspace, or past its retention
      if (transfer.state === 'approval' && isOver(transfer)) {
        // This queues the job again, which shows the end. If both did, people could be notified twice.
        if (await endWaiting(services, transfer, 'expired', { result: expired })) return;
      }
      await services.notifier.approvalChanged({ workspace, id });
      // If the clocks differ, the job that ends the wait can run too early. So it is queued again.
      await repository.change(id, async ({ state, approval }, client) => {
        const { until } = approval ?? {};
        if (state === 'approval' && until !== undefined) await queueEnd(services, transfer, client, new Date(until));
        return undefined;
      });
      // The job of an approved transfer notifies people of its end.
      if (transfer.approval.decision?.is !== 'approved') await notifyEnd(services, id);
    },
    async giveUp({ workspace, transfer: id }, error) {
      const context = { workspace, transfer: id, reference: referenceOf(id) };
      services.log.error({ ...context, operation: 'approval', err: error }, 'approvers not notified');
    },
  });
}

/** Gives added approvers a card for each transfer that waits, and tells removed ones that they can't decide. */
export function approversJob(services: Services): JobHandler {
  return handlerOf<DeskIds>({
    kind: approversKind,
    async run(ids) {
      const { workspace } = ids;
      const desk = (await services.store.credentials.deskWith(ids)) ?? { workspace };
      const waiting = await transfersIn(services.store).listActiveStates({ ...desk, states: ['approval'] });
      for (const { id } of waiting) await services.notifier.approvalChanged({ workspace, id });
    },
    async giveUp({ workspace }, error) {
      services.log.error({ workspace, operation: 'approval', err: error }, 'approvers not notified');
    },
  });
}

/** Whether the time to decide is over. */
export const isOver = ({ approval }: Transfer) => Date.now() >= (approval?.until ?? 0);

const expired = { code: 'approval-expired', message: 'No one approved it in time. Nothing was sent.', names: [] };
