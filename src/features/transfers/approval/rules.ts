import { extensionsOf as kindExtensions } from '../../../scan/index.ts';
import type { ApprovalPolicy } from '../../settings/approval.ts';
import { fitsName } from '../../settings/policies/checks.ts';
import { type ApprovalRule, approvalRules } from '../transfer.ts';

/** The facts about a transfer that the rules depend on. */
export interface ApprovalFacts {
  /** Whether the sender is among the trusted ones. */
  isTrusted: boolean;
  recipients: readonly { email: string }[];
  /** `kind`: what the first bytes show; undefined if they weren't read. */
  files: readonly { name: string; size: number; kind?: string }[];
  /** Undefined if the history couldn't be read, which counts as new. */
  hasNewRecipient: boolean | undefined;
}

/** The rules that apply. If there is none, the transfer needs no approval. */
export function rulesFor(policy: ApprovalPolicy, facts: ApprovalFacts): ApprovalRule[] {
  return approvalRules.filter((rule) => tests[rule](policy, facts));
}

const tests: Record<ApprovalRule, (policy: ApprovalPolicy, facts: ApprovalFacts) => boolean> = {
  every: ({ every }) => every,
  'new-recipient': ({ newRecipients }, { hasNewRecipient = true }) => newRecipients && hasNewRecipient,
  domain: ({ domains }, { recipients }) =>
    domains.length > 0 && recipients.some(({ email }) => !domains.includes(domainOf(email))),
  recipients: ({ recipients: limit }, { recipients }) => limit !== undefined && recipients.length > limit,
  size: ({ bytes }, { files }) => bytes !== undefined && files.reduce((sum, { size }) => sum + size, 0) > bytes,
  'file-type': ({ fileTypes }, { files }) =>
    fileTypes.length > 0 && files.some(({ name, kind }) => isOfType(fileTypes, name, kind)),
  sender: ({ senders }, { isTrusted }) => senders.length > 0 && !isTrusted,
};

/** Whether the file has one of these types, or could have: if nothing shows that it is what its name says. */
function isOfType(types: readonly string[], name: string, kind = 'binary'): boolean {
  if ([...extensionsOf(name), kind].some((type) => types.includes(type))) return true;
  // The types of this container can't be told apart.
  if (kind === 'cfb' && kindExtensions(kind).some((type) => types.includes(type))) return true;
  return kind === 'binary' || !fitsName(name, kind);
}

const domainOf = (email: string) => email.trim().toLowerCase().split('@').at(-1) ?? '';

/** Every part after a dot, because `a.zip.txt` and `a.zip.` can hide an extension. Ignores invisible characters. */
export function extensionsOf(name: string): string[] {
  const visibleName = name.normalize('NFKC').replace(/[\p{Cf}\p{Cc}]/gu, '');
  return visibleName
    .split('.')
    .slice(1)
    .map((part) => part.trim().toLowerCase());
}

const texts: Record<ApprovalRule, string> = {
  every: 'every transfer',
  'new-recipient': 'new recipient',
  domain: 'recipient outside the listed domains',
  recipients: 'number of recipients',
  size: 'total size',
  'file-type': 'file type',
  sender: 'sender',
};

/** The rules as people read them. */
export const rulesText = (rules: readonly ApprovalRule[]): string => rules.map((rule) => texts[rule]).join(', ');
