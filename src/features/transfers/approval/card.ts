import { referenceOf } from '../../../errors.ts';
import { actions, type Blocks, button, header, line, moment, type Piece } from '../../../slack/blocks.ts';
import { type Content, contentOf } from '../../../slack/messages.ts';
import { count, sizeOf } from '../../../slack/words.ts';
import type { ApprovalPolicy } from '../../settings/approval/fields.ts';
import { approverPieces } from '../../settings/approval/views.ts';
import type { Approval, TransferWithDetails } from '../repository.ts';
import { rulesText } from './rules.ts';

/** What the sender's card says while the transfer waits. */
export function waitingMessages({ details: { approval } }: TransferWithDetails): string[] {
  if (approval === undefined) return [];
  const days = waitText(approval);
  const reason = approval.isRenewed
    ? `It was approved, but not sent within ${days}, so it needs approval again`
    : 'Approval needed';
  return [
    `${reason}: ${rulesText(approval.rules)}. The approvers have been notified.`,
    `If no one decides within ${days}, it isn't sent.`,
  ];
}

const waitText = ({ askedAt, until }: Approval) =>
  count(Math.max(1, Math.round((until - askedAt) / 86_400_000)), 'day');

/** The title of a transfer that wasn't approved; undefined for any other. */
export function unapprovedTitle({ details: { result } }: TransferWithDetails): string | undefined {
  if (result?.code === 'declined') return 'Declined';
  return result?.code === 'approval-expired' ? 'Not approved in time' : undefined;
}

const maxApprovers = 3;

/** Who decided, and when. While the transfer waits and the policy is known, who can decide. */
export function decisionBlocks(
  { person, state, details: { approval } }: TransferWithDetails,
  policy?: ApprovalPolicy,
): Blocks {
  const { decision } = approval ?? {};
  if (state === 'approval' && policy !== undefined) {
    const approvers = policy.approvers.filter((approver) => approver !== person);
    return [line(...approverPieces({ ...policy, approvers }, maxApprovers))];
  }
  if (decision === undefined) return [];
  const verb = decision.is === 'approved' ? 'Approved' : 'Declined';
  return [line(`${verb} by `, { user: decision.by }, ', ', moment(Math.floor(decision.at / 1000)))];
}

/** Lets the sender change a transfer that wasn't approved, or whose expiry date can't be used any longer. */
export const editButton = (id: string, style?: 'primary') =>
  button('Edit…', 'approval.edit', { value: id, ...(style && { style }) });

const actionTexts = { send: 'wants to send', request: 'wants to request files from' };

/** Shows only counts, because a channel can have members who must not see names and addresses. */
export function subjectPieces({ kind, person, details: { files, recipients } }: TransferWithDetails): Piece[] {
  const people = count(recipients.length, 'person', 'people');
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const filesText = kind === 'request' ? '' : `${count(files.length, 'file')} (${sizeOf(bytes)}) to `;
  return [{ user: person }, ` ${actionTexts[kind]} ${filesText}`, { bold: people }];
}

/** The message for approvers. Shows the decision once there is one. */
export function approverCard(transfer: TransferWithDetails): Content {
  const { id, state, details } = transfer;
  const { rules = [], until = 0 } = details.approval ?? {};
  const title = state === 'approval' ? 'Approval needed' : decidedTitle(transfer);
  const isWaiting = state === 'approval';
  return contentOf(`${title}: ${rulesText(rules)}.`, [
    header(title),
    line(...subjectPieces(transfer)),
    line(`Rule: ${rulesText(rules)}`),
    ...(isWaiting && details.approval?.isRenewed
      ? [line(`It was approved before, but not sent within ${waitText(details.approval)}.`)]
      : []),
    ...decisionBlocks(transfer),
    ...(details.approval?.decision?.reason === undefined ? [] : [line(`Reason: ${details.approval.decision.reason}`)]),
    ...(isWaiting ? [line('Waits until ', moment(Math.floor(until / 1000)))] : []),
    ...(isWaiting ? [actions(reviewButton(id, 'primary'))] : []),
  ]);
}

/** The message for a person who is no longer an approver while the transfer waits. */
export function removedCard(transfer: TransferWithDetails): Content {
  const text = 'An admin changed the approvers, so you can no longer decide on this.';
  return contentOf(text, [header('Approval needed'), line(...subjectPieces(transfer)), line(text)]);
}

export function reviewButton(id: string, style?: 'primary') {
  const accessibilityLabel = `Review transfer ${referenceOf(id)}`;
  return button('Review', 'approval.review', {
    value: id,
    accessibilityLabel,
    ...(style === undefined ? {} : { style }),
  });
}

/** How the wait for a decision ended. */
export function decidedTitle(transfer: TransferWithDetails): string {
  const { state, details } = transfer;
  if (details.approval?.decision?.is === 'approved') return 'Approved';
  if (state === 'cancelled') return 'Cancelled';
  return unapprovedTitle(transfer) ?? 'No longer waiting';
}
