import { expect, test } from 'vitest';
import { hasRules } from '../../src/features/settings/approval.ts';
import { transferKinds } from '../../src/features/transfer-kinds.ts';
import { type ApprovalFacts, rulesFor } from '../../src/features/transfers/approval/rules.ts';
import type { ApprovalRule } from '../../src/features/transfers/transfer.ts';
import { policyWith } from './approval.ts';

const facts: ApprovalFacts = {
  isTrusted: false,
  recipients: [{ email: 'carl@example.org' }, { email: 'dora@example.net' }],
  files: [
    { name: 'plan.pdf', size: 600, kind: 'pdf' },
    { name: 'map.png', size: 400, kind: 'png' },
  ],
  hasNewRecipient: false,
};

const rulesOf = (policy: object, more: Partial<ApprovalFacts> = {}) =>
  rulesFor(policyWith(policy), { ...facts, ...more });

test('without approval rules, a transfer needs no approval', () => {
  expect(rulesOf({}, { hasNewRecipient: undefined })).toEqual([]);
  expect(hasRules(policyWith({}))).toBe(false);
});

test('approval rules apply to file requests only if the policy says so', () => {
  expect(rulesOf({ every: true })).toEqual(['every']);
  const needed = (requests: boolean) =>
    Object.values(transferKinds).filter((kind) => kind.needsApproval(policyWith({ every: true, requests })));
  expect(needed(false).map(({ name }) => name)).toEqual(['send']);
  expect(needed(true).map(({ name }) => name)).toEqual(['send', 'request']);
});

const cases: [ApprovalRule, object, Partial<ApprovalFacts>, Partial<ApprovalFacts>][] = [
  ['new-recipient', { newRecipients: true }, { hasNewRecipient: true }, {}],
  ['new-recipient', { newRecipients: true }, { hasNewRecipient: undefined }, {}],
  [
    'domain',
    { domains: ['example.org'] },
    {},
    { recipients: [{ email: 'Carl@Example.ORG' }, { email: 'x@example.org' }] },
  ],
  ['domain', { domains: ['example.org'] }, { recipients: [{ email: 'x@sub.example.org' }] }, { recipients: [] }],
  ['domain', { domains: ['example.org'] }, { recipients: [{ email: 'x@example.org@other.net' }] }, { recipients: [] }],
  ['recipients', { recipients: 1 }, {}, { recipients: facts.recipients.slice(1) }],
  ['size', { bytes: 999 }, {}, { files: facts.files.slice(1) }],
  ['file-type', { fileTypes: ['pdf'] }, {}, { files: facts.files.slice(1) }],
  ['sender', { senders: ['U-bo'] }, {}, { isTrusted: true }],
];

test.each(cases)(
  'the rule “%s” of %j applies to a matching transfer and not to another',
  (rule, policy, matching, other) => {
    expect(rulesOf(policy, matching)).toEqual([rule]);
    expect(rulesOf(policy, other)).toEqual([]);
    expect(hasRules(policyWith(policy))).toBe(true);
  },
);

test.each(['a.ZIP', 'a.zip.txt', 'a.zip.', 'a.zip ', 'a.zi\u200bp', 'a.z\u202eip', 'a．zip', '.zip'])(
  'an approval rule for zip files applies to the file name %j',
  (name) => {
    expect(rulesOf({ fileTypes: ['zip'] }, { files: [{ name, size: 1 }] })).toEqual(['file-type']);
  },
);

test('all approval rules that apply to a transfer are listed', () => {
  const policy = { every: true, newRecipients: true, domains: ['example.org'], recipients: 1, bytes: 1 };
  expect(rulesOf(policy, { hasNewRecipient: true })).toEqual([
    'every',
    'new-recipient',
    'domain',
    'recipients',
    'size',
  ]);
});
