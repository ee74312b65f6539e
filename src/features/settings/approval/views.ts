import type { Piece } from '../../../slack/blocks.ts';
import { andList, andMore, count, sizeOf } from '../../../slack/words.ts';
import { type ApprovalPolicy, hasRules } from './fields.ts';

/** Which transfers need approval. */
export function approvalText(policy: ApprovalPolicy): string {
  return hasRules(policy) ? `Approval needed: ${andList(rulesIn(policy), 10)}` : 'No transfer needs approval';
}

/** The whole policy: a line for its rules and, if there are any, one for the approvers and one for the rest. */
export function approvalLines(policy: ApprovalPolicy): Piece[][] {
  if (!hasRules(policy)) return [[approvalText(policy)]];
  const { waitDays, requests } = policy;
  return [
    [approvalText(policy)],
    approverPieces(policy),
    [`Waits for ${count(waitDays, 'day')} · File requests: ${requests ? 'same rules' : 'no approval'}`],
  ];
}

export function approverPieces({ approvers, channel }: ApprovalPolicy, maxPeople = approvers.length): Piece[] {
  if (channel !== undefined) return ['Approvers: members of ', { channel }];
  const people = approvers.slice(0, maxPeople).flatMap((user): Piece[] => [', ', { user }]);
  const omitted = approvers.length - maxPeople;
  return ['Approvers: ', ...people.slice(1), ...(omitted > 0 ? [` ${andMore(omitted)}`] : [])];
}

function rulesIn({ every, newRecipients, domains, recipients, bytes, fileTypes, senders }: ApprovalPolicy): string[] {
  return [
    ...(every ? ['every transfer'] : []),
    ...(newRecipients ? ['new recipients'] : []),
    ...(domains.length > 0 ? [`recipients outside ${andList(domains, 3)}`] : []),
    ...(recipients === undefined ? [] : [`more than ${count(recipients, 'recipient')}`]),
    ...(bytes === undefined ? [] : [`more than ${sizeOf(bytes)}`]),
    ...(fileTypes.length > 0 ? [`${andList(fileTypes)} files`] : []),
    ...(senders.length > 0 ? [`senders other than ${count(senders.length, 'trusted person', 'trusted people')}`] : []),
  ];
}
