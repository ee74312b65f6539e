import type { ViewOutput } from '@slack/bolt';
import { approvalPolicy } from '../../../src/features/settings/approval/fields.ts';
import { approvalForm } from '../../../src/features/settings/approval/form.ts';
import { policiesView } from '../../../src/features/settings/policies/views.ts';
import { defaultSettings } from '../../../src/features/settings/repository.ts';
import { overviewView } from '../../../src/features/settings/views.ts';
import { approverCard, removedCard } from '../../../src/features/transfers/approval/card.ts';
import { approvalRules } from '../../../src/features/transfers/approval/rules.ts';
import {
  approvalView,
  decidedView,
  declineView,
  openedFilesView,
  waitingBlocks,
} from '../../../src/features/transfers/approval/views.ts';
import type { EarlierAttempt } from '../../../src/features/transfers/duplicates.ts';
import { cardOf, confirmedView } from '../../../src/features/transfers/kinds/card.ts';
import { confirmView } from '../../../src/features/transfers/kinds/request/views.ts';
import { reviewView } from '../../../src/features/transfers/kinds/send/views.ts';
import type { Approval, TransferWithDetails } from '../../../src/features/transfers/repository.ts';
import type { Blocks } from '../../../src/slack/blocks.ts';
import { everydayWaiting } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const people = Array.from({ length: 20 }, (_, number) => `U${String(number).padStart(10, '0')}`);
const full = approvalPolicy.parse({
  every: true,
  newRecipients: true,
  domains: Array.from({ length: 200 }, (_, number) => `domain${number}.example`),
  recipients: 10,
  bytes: 5_000_000,
  fileTypes: ['docx', 'zip'],
  senders: people,
  requests: true,
  approvers: people,
  waitDays: 7,
});
const recipients = Array.from({ length: 200 }, (_, number) => ({
  email: hostileEmails[number] ?? `r${number}@example.org`,
  number: '46700000000',
  nick: hostileList[number % hostileList.length] ?? '',
  json: '{}',
}));
const files = Array.from({ length: 110 }, (_, number) => ({
  id: `F${number}`,
  name: hostileList[number] ?? `file ${number}.txt`,
  size: number * 1e9,
  stamp: '1',
}));
const at = 1_700_000_000_000;
const note = (hostileTexts.huge ?? '').slice(0, 300);
const approval: Approval = { rules: [...approvalRules], askedAt: at, until: at + 3 * 86_400_000, note };
const transfer: TransferWithDetails = {
  ...everydayWaiting,
  state: 'approval',
  createdAt: new Date(at),
  details: { ...everydayWaiting.details, recipients, files, message: hostileTexts.huge ?? '', approval },
};
const renewed: TransferWithDetails = {
  ...transfer,
  details: { ...transfer.details, approval: { ...approval, isRenewed: true } },
};
const request: TransferWithDetails = { ...transfer, kind: 'request' };
const approved: TransferWithDetails = {
  ...transfer,
  state: 'waiting',
  details: { ...transfer.details, approval: { ...approval, decision: { is: 'approved', by: 'U0APPROVER', at } } },
};
const declined: TransferWithDetails = {
  ...transfer,
  state: 'failed',
  endedAt: new Date(at),
  details: {
    ...transfer.details,
    result: { code: 'declined', message: `Declined: ${(hostileTexts.huge ?? '').slice(0, 500)}`, names: [] },
    approval: {
      ...approval,
      decision: { is: 'declined', by: 'U0APPROVER', at, reason: (hostileTexts.huge ?? '').slice(0, 500) },
    },
  },
};
const expired: TransferWithDetails = {
  ...transfer,
  state: 'failed',
  endedAt: new Date(at),
  details: { ...transfer.details, result: { code: 'approval-expired', message: 'Too late.', names: [] } },
};
const review = {
  reviewId: transfer.id,
  recipients: recipients.map((recipient) => ({ ...recipient, isFirstTime: true, changed: undefined })),
  files: files.map((file) => ({ ...file, originalName: file.name })),
  hasAllChanges: true,
  totalBytes: 1e12,
  message: hostileTexts.huge ?? '',
  expiresAfter: 7,
  earlier: undefined,
};
const earlier: EarlierAttempt = { id: 'earlier', at: new Date(at), state: 'unknown', watchedUntil: at };
const lapsed: TransferWithDetails = {
  ...transfer,
  state: 'failed',
  endedAt: new Date(at),
  details: {
    ...transfer.details,
    expiryDate: '2023-11-14',
    result: { code: 'expired', message: 'The expiry date 2023-11-14 has passed. Nothing was sent.', names: [] },
  },
};
const notice = { rules: [...approvalRules], hasApprover: true };

const settings = { ...defaultSettings, policies: { ...defaultSettings.policies, approval: full } };

export const samples: Samples = {
  'the settings, at first': approvalForm(approvalPolicy.parse({})),
  'the settings, all set': approvalForm(full),
  'the settings, in a channel': approvalForm({ ...full, approvers: [], channel: 'C0123456789' }),
  'the settings, turning off rules': approvalForm(full, 'hash', ['every transfer', 'new recipients']),
  'the overview of settings': overviewView(settings),
  'the policies': policiesView(settings, { hasScanner: false, isRequired: true }, 'Saved.'),
  'the review of a transfer': reviewView({ ...review, approval: notice }, 'days'),
  'the review without an approver': reviewView({ ...review, approval: { ...notice, hasApprover: false } }, 'days'),
  'the review of a request': confirmView({ ...review, id: transfer.id, unit: 'days', approval: notice }),
  'the review of a request without an approver': confirmView({
    ...review,
    id: transfer.id,
    unit: 'days',
    approval: { ...notice, hasApprover: false },
  }),
  'after requesting approval': confirmedView('send', { ahead: 0, needsApproval: true }),
  'the card while it waits': cardOf({ transfer, policy: full }),
  'the card of a request while it waits': cardOf({
    transfer: request,
    policy: { ...full, approvers: [], channel: 'C0123456789' },
  }),
  'the card while it waits again': cardOf({ transfer: renewed, policy: full }),
  'the card: approved': cardOf({ transfer: approved }),
  'the card: declined': cardOf({ transfer: declined }),
  'the card of a request: declined': cardOf({ transfer: { ...declined, kind: 'request' } }),
  'the card: expired': cardOf({ transfer: expired }),
  "the approver's card": approverCard(transfer),
  "the approver's card, asked again": approverCard(renewed),
  "the approver's card of a request": approverCard(request),
  "the approver's card: approved": approverCard(approved),
  "the approver's card: declined": approverCard(declined),
  "the approver's card: expired": approverCard(expired),
  "the approver's card: cancelled": approverCard({ ...transfer, state: 'cancelled', endedAt: new Date(at) }),
  "the approver's card: no longer an approver": removedCard(transfer),
  "the approver's review of a possible duplicate": approvalView(
    transfer,
    reviewView({ ...review, expiryDate: '2030-12-24', earlier, reader: 'approver' }, 'days').blocks as Blocks,
  ),
  "the approver's review of a repeated request": approvalView(
    request,
    confirmView({
      ...review,
      id: transfer.id,
      unit: 'days',
      expiryDate: '2030-12-24',
      earlier: { ...earlier, state: 'sent' },
      reader: 'approver',
    }).blocks as Blocks,
  ),
  'the card: the expiry date has passed': cardOf({ transfer: lapsed, unit: 'days' }),
  "the approver's review": approvalView(transfer, reviewView(review, 'days').blocks as Blocks),
  "the approver's review after Open files": openedFilesView({
    ...approvalView(transfer, reviewView(review, 'days').blocks as Blocks),
    state: { values: {} },
  } as unknown as ViewOutput),
  'the reason for declining': declineView(transfer.id),
  'after approving': decidedView(approved),
  'after declining': decidedView(declined),
  'what waits, on Home': { type: 'home', blocks: waitingBlocks([transfer, { ...request, id: 'other' }]) },
};
