import type { Actor, Services } from '../../src/features/common/services.ts';
import type { ApprovalPolicy } from '../../src/features/settings/approval.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import type { Settings } from '../../src/features/settings/repository.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import { approvalSettings } from '../helpers/approval-policy.ts';
import { anna, type FeaturesSetup } from '../helpers/features.ts';

export { approvalSettings, type Policy, policyWith } from '../helpers/approval-policy.ts';

export const saveApproval = (services: Services, admin: Actor, policy: ApprovalPolicy): Promise<Settings> =>
  changeSettings(services, admin, approvalSettings(policy));

export const cleo = { workspace: 'T1', person: 'U-cleo' };
export const draft = { recipients: ['carl@example.org'], groups: [], message: 'Hello', expiresAfter: 7 };

/** A person confirms a transfer. Resolves with its id. */
export async function confirmTransfer(
  { services, sourceFiles }: FeaturesSetup,
  more: Partial<typeof draft> = {},
  sender = anna,
): Promise<string> {
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan')];
  const { reviewId } = await prepareSend(services, sender, { ...draft, files, ...more });
  return (await confirmSend(services, sender, reviewId)).id;
}

/** Moves the decision on a transfer into the past. */
export async function ageDecision(
  { store }: Pick<FeaturesSetup, 'store'>,
  id: string,
  days: number,
  change: 'change' | 'revise' = 'change',
): Promise<void> {
  await transfersIn(store)[change](id, async ({ approval }) => {
    if (approval?.decision === undefined) throw new Error('there is no decision');
    const at = approval.decision.at - days * 86_400_000;
    return { approval: { ...approval, decision: { ...approval.decision, at } } };
  });
}

export const stateOf = async ({ store }: FeaturesSetup, id: string) => (await transfersIn(store).read(id))?.state;
