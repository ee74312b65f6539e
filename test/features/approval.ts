import { type ApprovalPolicy, approvalPolicy } from '../../src/features/settings/approval/fields.ts';

export type Policy = Partial<ApprovalPolicy>;

/** A policy with these rules; all others are off. */
export const policyWith = (policy: Policy): ApprovalPolicy => approvalPolicy.parse(policy);
