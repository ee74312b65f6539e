import type { Facts } from './facts.ts';
import { messageOf } from './plan.ts';

/** Nothing is sent without the decision of another person, where one is needed. */
export function checkApprovals({ plan, results, accounts, decisions = [] }: Facts): string[] {
  const needed = new Map(
    plan.workspaces.map(({ name, account, needsApproval = false }) => [name, { account, needsApproval }]),
  );
  return results.flatMap(({ workspace, person, action }) => {
    const { account, needsApproval = false } = needed.get(workspace) ?? {};
    const { drops = [], pages = [] } = accounts.find(({ name }) => name === account) ?? {};
    const isMade =
      (action.kind === 'send' &&
        drops.some(({ files }) => files.some(({ name }) => name.startsWith(`${action.id}-`)))) ||
      (action.kind === 'request' && pages.some(({ message }) => message === messageOf(action)));
    if (!needsApproval || !isMade) return [];
    const own = decisions.filter((one) => one.workspace === workspace && one.action === action.id);
    const isApproved = own.some(({ is, by }) => is === 'approve' && by !== person);
    return isApproved ? [] : [`${action.id}: made without the approval of another person`];
  });
}
