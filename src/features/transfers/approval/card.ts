import { referenceOf } from '../../../lib/errors.ts';
import { actions, type Blocks, button, header, line, moment, type Piece } from '../../../slack/blocks.ts';
import { type Content, contentOf } from '../../../slack/messages.ts';
import { count } from '../../../slack/words.ts';
import type { ApprovalPolicy } from '../../settings/approval.ts';
import { approverPieces } from '../../settings/views.ts';
import { unapprovedTitle } from '../cards/card.ts';
import type { ShownKinds } from '../shown-kind.ts';
import type { Approval, Transfer } from '../transfer.ts';
import { rulesText } from './rules.ts';

/** What the sender's card says while the transfer waits. */
export function waitingMessages({ approval }: Transfer): string[] {
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

const maxApprovers = 3;

/** Who decided, and when. While the transfer waits and the policy is known, who can decide. */
export function decisionBlocks({ person, state, approval }: Transfer, policy?: ApprovalPolicy): Blocks {
  const { decision } = approval ?? {};
  if (state === 'approval' && policy !== undefined) {
    const approvers = policy.approvers.filter((approver) => approver !== person);
    return [line(...approverPieces({ ...policy, approvers }, maxApprovers))];
  }
  if (decision === undefined) return [];
  const verb = decision.is === 'approved' ? 'Approved' : 'Declined';
  return [line(`${verb} by `, { user: decision.by }, ', ', moment(Math.floor(decision.at / 1000)))];
}

/** Shows only counts, because a channel can have members who must not see names and addresses. */
export function subjectPieces(kinds: ShownKinds, transfer: Transfer): Piece[] {
  const { kind, person, recipients } = transfer;
  const people = count(recipients.length, 'person', 'people');
  return [{ user: person }, ` ${kinds[kind].intent(transfer)} `, { bold: people }];
}

/** The message for approvers. Shows the decision once there is one. */
export function approverCard(kinds: ShownKinds, transfer: Transfer): Content {
  const { id, state, approval } = transfer;
  const { rules = [], until = 0 } = approval ?? {};
  const title = state === 'approval' ? 'Approval needed' : decidedTitle(transfer);
  const isWaiting = state === 'approval';
  return contentOf(`${title}: ${rulesText(rules)}.`, [
    header(title),
    line(...subjectPieces(kinds, transfer)),
    line(`Rule: ${rulesText(rules)}`),
    ...(isWaiting && approval?.isRenewed
      ? [line(`It was approved before, but not sent within ${waitText(approval)}.`)]
      : []),
    ...decisionBlocks(transfer),
    ...(approval?.decision?.reason === undefined ? [] : [line(`Reason: ${approval.decision.reason}`)]),
    ...(isWaiting ? [line('Waits until ', moment(Math.floor(until / 1000)))] : []),
    ...(isWaiting ? [actions(reviewButton(id, 'primary'))] : []),
  ]);
}

/** The message for a person who is no longer an approver while the transfer waits. */
export function removedCard(kinds: ShownKinds, transfer: Transfer): Content {
  const text = 'An admin changed the approvers, so you can no longer decide on this.';
  return contentOf(text, [header('Approval needed'), line(...subjectPieces(kinds, transfer)), line(text)]);
}

export function reviewButton(id: string, style?: 'primary') {
  const accessibilityLabel = `Review transfer ${referenceOf(id)}`;
  return button('Review', 'approval.review', {
    value: id,
    accessibilityLabel,
    style,
  });
}

/** How the wait for a decision ended. */
export function decidedTitle(transfer: Transfer): string {
  const { state, approval } = transfer;
  if (approval?.decision?.is === 'approved') return 'Approved';
  if (state === 'cancelled') return 'Cancelled';
  return unapprovedTitle(transfer.progress) ?? 'No longer waiting';
}
