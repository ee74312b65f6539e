import { type ApprovalPolicy, approvalOf } from '../../src/features/settings/approval.ts';
import { defaultSettings } from '../../src/features/settings/repository.ts';

export type Policy = Partial<ApprovalPolicy>;

/** A policy with these rules; all others are off. */
export const policyWith = (policy: Policy): ApprovalPolicy => ({ ...approvalOf(defaultSettings), ...policy });

/** The settings of a policy. */
export function approvalSettings({ every, newRecipients, requests, bytes, ...policy }: ApprovalPolicy) {
  const rules = { every, newRecipients, requests };
  return {
    approvalRules: (['every', 'newRecipients', 'requests'] as const).filter((rule) => rules[rule]),
    approvalDomains: policy.domains,
    approvalRecipients: policy.recipients,
    approvalMb: bytes === undefined ? undefined : bytes / 1_000_000,
    approvalTypes: policy.fileTypes,
    approvalSenders: policy.senders,
    approvers: policy.approvers,
    approvalDays: policy.waitDays,
  };
}
