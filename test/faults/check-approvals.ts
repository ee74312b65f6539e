import { messagesMade } from './check-transfers.ts';
import type { Facts } from './facts.ts';

/** A transfer that needs approval is sent only if another person approved it. */
export function checkApprovals({ plan, results, accounts, decisions = [] }: Facts): string[] {
  const workspaces = new Map(
    plan.workspaces.map(({ name, account, needsApproval = false }) => [name, { account, needsApproval }]),
  );
  return results.flatMap(({ workspace, person, action }) => {
    const { account, needsApproval = false } = workspaces.get(workspace) ?? {};
    const { drops: transfers = [], pages = [] } = accounts.find(({ name }) => name === account) ?? {};
    const madeCount =
      action.kind === 'send'
        ? transfers.filter(({ files }) => files.some(({ name }) => name.startsWith(`${action.id}-`))).length
        : action.kind === 'request'
          ? messagesMade({ pages }, action).length
          : 0;
    if (!needsApproval) return [];
    const own = decisions.filter((one) => one.workspace === workspace && one.action === action.id);
    const approvals = own.filter(({ choice, by }) => choice === 'approve' && by !== person).length;
    // Each repetition needs its own approval.
    return approvals >= madeCount ? [] : [`${action.id}: made without the approval of another person`];
  });
}
