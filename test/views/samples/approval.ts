import type { ViewOutput } from '@slack/bolt';
import { settingsForm } from '../../../src/features/settings/pages/form.ts';
import { defaultSettings } from '../../../src/features/settings/repository.ts';
import { overviewView } from '../../../src/features/settings/views.ts';
import { transferKinds } from '../../../src/features/transfer-kinds.ts';
import { approverCard, removedCard } from '../../../src/features/transfers/approval/card.ts';
import {
  approvalView,
  decidedView,
  declineView,
  openedFilesView,
  waitingBlocks,
} from '../../../src/features/transfers/approval/views.ts';
import { cardOf, confirmedView } from '../../../src/features/transfers/cards/card.ts';
import type { EarlierAttempt } from '../../../src/features/transfers/outcome/duplicates.ts';
import { confirmView } from '../../../src/features/transfers/request/views.ts';
import { sendKind } from '../../../src/features/transfers/send/kind.ts';
import { reviewView } from '../../../src/features/transfers/send/views.ts';
import { type Approval, approvalRules, type FileRequest, type Send } from '../../../src/features/transfers/transfer.ts';
import type { Blocks } from '../../../src/slack/blocks.ts';
import { approvalSettings, policyWith } from '../../helpers/approval-policy.ts';
import { waitingRequest, waitingSend } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const people = Array.from({ length: 20 }, (_, number) => `U${String(number).padStart(10, '0')}`);
const full = policyWith({
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
const content = { createdAt: new Date(at), recipients, message: hostileTexts.huge ?? '' };
const transfer: Send = { ...waitingSend, ...content, state: 'approval', files, approval };
const renewed: Send = { ...transfer, approval: { ...approval, isRenewed: true } };
const request: FileRequest = { ...waitingRequest, ...content, state: 'approval', approval };
const approved: Send = {
  ...transfer,
  state: 'waiting',
  approval: { ...approval, decision: { is: 'approved', by: 'U0APPROVER', at } },
};
const decline = {
  state: 'failed' as const,
  endedAt: new Date(at),
  progress: {
    result: { code: 'declined', message: `Declined: ${(hostileTexts.huge ?? '').slice(0, 500)}`, names: [] },
  },
  approval: {
    ...approval,
    decision: {
      is: 'declined' as const,
      by: 'U0APPROVER',
      at,
      reason: (hostileTexts.huge ?? '').slice(0, 500),
    },
  },
};
const declined: Send = { ...transfer, ...decline };
const expired: Send = {
  ...transfer,
  state: 'failed',
  endedAt: new Date(at),
  progress: { result: { code: 'approval-expired', message: 'Too late.', names: [] } },
};
const review = {
  reviewId: transfer.id,
  recipients: recipients.map((recipient) => ({ ...recipient, isFirstTime: true, changed: undefined })),
  files: files.map((file) => ({ ...file, originalName: file.name })),
  hasAllChanges: true,
  message: hostileTexts.huge ?? '',
  expiresAfter: 7,
  earlier: undefined,
};
const earlier: EarlierAttempt = { id: 'earlier', at: new Date(at), state: 'unknown', watchedUntil: at };
const lapsed: Send = {
  ...transfer,
  state: 'failed',
  endedAt: new Date(at),
  expiryDate: '2023-11-14',
  progress: {
    result: { code: 'expired', message: 'The expiry date 2023-11-14 has passed. Nothing was sent.', names: [] },
  },
};
const notice = { rules: [...approvalRules], hasApprover: true };

const settings = { ...defaultSettings, ...approvalSettings(full) };
const context = { hasLinks: true, scanner: { hasScanner: false, isRequired: true } };

export const samples: Samples = {
  'the settings, at first': settingsForm('approval', defaultSettings, context),
  'the settings, all set': settingsForm('approval', settings, context),
  'the approvers, all set': settingsForm('approvers', settings, context),
  'the approvers, in a channel': settingsForm('approvers', { ...settings, approvers: ['C0123456789'] }, context),
  'the overview of settings': overviewView(settings, []),
  'the review of a transfer': reviewView({ ...review, approval: notice }, 'days'),
  'the review without an approver': reviewView({ ...review, approval: { ...notice, hasApprover: false } }, 'days'),
  'the review of a request': confirmView({ ...review, unit: 'days', approval: notice }),
  'the review of a request without an approver': confirmView({
    ...review,
    unit: 'days',
    approval: { ...notice, hasApprover: false },
  }),
  'after requesting approval': confirmedView(sendKind.texts, { ahead: 0, needsApproval: true }),
  'the card while it waits': cardOf(transferKinds, { transfer, policy: full }),
  'the card of a request while it waits': cardOf(transferKinds, {
    transfer: request,
    policy: { ...full, approvers: ['U0123456789', 'C0123456789'] },
  }),
  'the card while it waits again': cardOf(transferKinds, { transfer: renewed, policy: full }),
  'the card: approved': cardOf(transferKinds, { transfer: approved }),
  'the card: declined': cardOf(transferKinds, { transfer: declined }),
  'the card of a request: declined': cardOf(transferKinds, { transfer: { ...request, ...decline } }),
  'the card: expired': cardOf(transferKinds, { transfer: expired }),
  "the approver's card": approverCard(transferKinds, transfer),
  "the approver's card, asked again": approverCard(transferKinds, renewed),
  "the approver's card of a request": approverCard(transferKinds, request),
  "the approver's card: approved": approverCard(transferKinds, approved),
  "the approver's card: declined": approverCard(transferKinds, declined),
  "the approver's card: expired": approverCard(transferKinds, expired),
  "the approver's card: cancelled": approverCard(transferKinds, {
    ...transfer,
    state: 'cancelled',
    endedAt: new Date(at),
  }),
  "the approver's card: no longer an approver": removedCard(transferKinds, transfer),
  "the approver's review of a possible duplicate": approvalView(
    transferKinds,
    transfer,
    reviewView({ ...review, expiryDate: '2030-12-24', earlier, reader: 'approver' }, 'days').blocks as Blocks,
  ),
  "the approver's review of a repeated request": approvalView(
    transferKinds,
    request,
    confirmView({
      ...review,
      unit: 'days',
      expiryDate: '2030-12-24',
      earlier: { ...earlier, state: 'sent' },
      reader: 'approver',
    }).blocks as Blocks,
  ),
  'the card: the expiry date has passed': cardOf(transferKinds, { transfer: lapsed, unit: 'days' }),
  "the approver's review": approvalView(transferKinds, transfer, reviewView(review, 'days').blocks as Blocks),
  "the approver's review after Open files": openedFilesView({
    ...approvalView(transferKinds, transfer, reviewView(review, 'days').blocks as Blocks),
    state: { values: {} },
  } as unknown as ViewOutput),
  'the reason for declining': declineView(transfer.id),
  'after approving': decidedView(transferKinds, approved),
  'after declining': decidedView(transferKinds, declined),
  'what waits, on Home': {
    type: 'home',
    blocks: waitingBlocks(transferKinds, [transfer, { ...request, id: 'other' }]),
  },
};
