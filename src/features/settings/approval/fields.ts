import { z } from 'zod';

/** Which transfers another person has to approve, and who can approve them. An empty list turns its rule off. */
export const approvalPolicy = z.object({
  every: z.boolean().default(false),
  newRecipients: z.boolean().default(false),
  /** Recipients in any other domain need approval. */
  domains: z.array(z.string()).default([]),
  /** More recipients than this need approval. */
  recipients: z.number().optional(),
  /** A larger total size, in bytes, needs approval. */
  bytes: z.number().optional(),
  /** File extensions that need approval, in lower case and without a dot. */
  fileTypes: z.array(z.string()).default([]),
  /** Transfers of everyone else need approval. */
  senders: z.array(z.string()).default([]),
  /** Whether the rules apply to file requests too. */
  requests: z.boolean().default(false),
  approvers: z.array(z.string()).default([]),
  /** The members of this channel can approve, instead of `approvers`. */
  channel: z.string().optional(),
  /** How long a transfer waits for a decision. */
  waitDays: z.number().positive().max(30).default(3),
});
export type ApprovalPolicy = z.infer<typeof approvalPolicy>;

/** Names of the fields in audit entries. */
export const approvalTitles: Record<keyof ApprovalPolicy, string> = {
  every: 'Approval of every transfer',
  newRecipients: 'Approval of new recipients',
  domains: 'Domains without approval',
  recipients: 'Maximum recipients without approval',
  bytes: 'Total size without approval',
  fileTypes: 'File types that need approval',
  senders: 'Senders without approval',
  requests: 'Approval of file requests',
  approvers: 'Approvers',
  channel: "Approvers' channel",
  waitDays: 'Days to wait for approval',
};

/** Whether any rule is on. */
export function hasRules(policy: ApprovalPolicy): boolean {
  const { every, newRecipients, domains, recipients, bytes, fileTypes, senders } = policy;
  const lists = [domains, fileTypes, senders];
  return every || newRecipients || (recipients ?? bytes) !== undefined || lists.some((list) => list.length > 0);
}
