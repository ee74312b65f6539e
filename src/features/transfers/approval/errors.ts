import { bounds } from '../../../lib/bounds.ts';
import { DroplineError } from '../../../lib/errors.ts';
import type { Approval } from '../transfer.ts';

export const notWaiting = () => new DroplineError('not-allowed', 'The transfer no longer waits for approval.');

export const changedSinceReview = () =>
  new DroplineError('changed', 'It was changed or deleted after the sender confirmed the transfer.');

export const reasonMissing = () => new DroplineError('invalid', 'Enter a reason.', { field: 'reason' });

export const tooManyWaiting = () =>
  new DroplineError(
    'busy',
    `You have ${bounds.approvalsPerPerson} transfers waiting for approval. Wait for a decision, or cancel one in our direct messages.`,
  );

/** @param isChanged whether the transfer waited for approval under other rules before */
export const approvalNeeded = (rules: string, isChanged: boolean) =>
  new DroplineError(
    'unapproved',
    `${isChanged ? 'The approval rules changed, so this needs approval again' : 'This needs approval'}: ${rules}. Nothing was sent.`,
  );

/** The approval ended before the transfer was sent. `renewed`: the one to ask for instead. */
export class ApprovalEndedError extends DroplineError {
  readonly renewed: Approval;

  constructor(renewed: Approval) {
    super('unapproved', 'The approval is no longer valid.');
    this.renewed = renewed;
  }
}

export const noApproverText = (rules: string) =>
  `This needs approval (${rules}), and no one else can approve it. An admin can add approvers in /drop settings.`;

export const noApprover = (rules: string) => new DroplineError('no-approver', noApproverText(rules));
