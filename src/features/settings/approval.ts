import type { Settings } from './repository.ts';

/** Which transfers another person has to approve, and who can approve them. An empty list turns its rule off. */
export function approvalOf(settings: Settings) {
  const { approvalRules, approvalMb } = settings;
  return {
    every: approvalRules.includes('every'),
    newRecipients: approvalRules.includes('newRecipients'),
    /** Recipients in any other domain need approval. */
    domains: settings.approvalDomains,
    /** More recipients than this need approval. */
    recipients: settings.approvalRecipients,
    /** A larger total size needs approval. */
    bytes: approvalMb === undefined ? undefined : approvalMb * 1_000_000,
    /** File extensions that need approval, in lower case and without a dot. */
    fileTypes: settings.approvalTypes,
    /** Transfers of everyone else need approval. */
    senders: settings.approvalSenders,
    /** Whether the rules apply to file requests too. */
    requests: approvalRules.includes('requests'),
    approvers: settings.approvers,
    /** How long a transfer waits for a decision. */
    waitDays: settings.approvalDays,
  };
}
export type ApprovalPolicy = ReturnType<typeof approvalOf>;

/** Whether any rule is on. */
export function hasRules(policy: ApprovalPolicy): boolean {
  const { every, newRecipients, domains, recipients, bytes, fileTypes, senders } = policy;
  const lists = [domains, fileTypes, senders];
  return every || newRecipients || (recipients ?? bytes) !== undefined || lists.some((list) => list.length > 0);
}
