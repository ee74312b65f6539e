import { bounds } from '../../../lib/bounds.ts';
import type { Actor, Services } from '../../common/services.ts';
import { hashOf, validateSettings } from '../fields.ts';
import { rewrite } from '../operations.ts';
import type { Settings } from '../repository.ts';
import { approvalChanged, approversMissing, outsidersSelected, peopleAndChannel, tooManyApprovers } from './errors.ts';
import { type ApprovalPolicy, hasRules } from './fields.ts';

/** Identifies a policy, to find out whether it was changed while a form was open. */
export const policyHash = (policy: ApprovalPolicy): string => hashOf(Object.entries(policy).map(String));

/**
 * Saves the policy. Throws if the stored policy has changed since the form was opened.
 *
 * @param seen the `policyHash` of the policy that the form showed
 */
export function saveApproval(
  services: Services,
  admin: Actor,
  policy: ApprovalPolicy,
  seen?: string,
): Promise<Settings> {
  return rewrite(
    services,
    admin,
    (current) => {
      const before = current.approval;
      if (seen !== undefined && policyHash(before) !== seen) throw approvalChanged();
      return validateSettings({ ...current, approval: policy });
    },
    () => expectApprovers(services, admin, policy, hasRules(policy)),
  );
}

/** Throws if the approvers can't be used. `isNeeded`: whether there must be some. */
export async function expectApprovers(
  { people }: Pick<Services, 'people'>,
  { workspace }: Actor,
  { approvers, channel }: Pick<ApprovalPolicy, 'approvers' | 'channel'>,
  isNeeded: boolean,
): Promise<void> {
  if (approvers.length > bounds.approvers) throw tooManyApprovers(approvers.length);
  if (approvers.length > 0 && channel !== undefined) throw peopleAndChannel();
  if (isNeeded && approvers.length === 0 && channel === undefined) throw approversMissing();
  const roles = await Promise.all(approvers.map((person) => people.roleOf({ workspace, person })));
  if (roles.includes('none')) throw outsidersSelected();
}
