import type { Button } from '@slack/types';
import { withReference } from '../../../../errors.ts';
import {
  type Blocks,
  button,
  confirmation,
  dateAndTime,
  line,
  list,
  moment,
  note,
  type Piece,
} from '../../../../slack/blocks.ts';
import { truncateText } from '../../../../slack/limits.ts';
import { andList, count, durationText, shownAddress } from '../../../../slack/words.ts';
import { expiryOf } from '../../../settings/expiry.ts';
import type { ExpiryUnit } from '../../../settings/repository.ts';
import { decisionBlocks, unapprovedTitle, waitingMessages } from '../../approval/card.ts';
import {
  type CardParts,
  type CardState,
  correctionMessages,
  differenceMessages,
  holdMessage,
  pauseMessages,
} from '../../card.ts';
import { datePiece } from '../../expiry.ts';
import type { TransferWithDetails } from '../../repository.ts';
import { checklistBlocks, checklistText, followUpButton } from './checklist/card.ts';
import { isComplete } from './checklist/fields.ts';

export function requestCard(state: CardState): CardParts {
  const { transfer, unit = 'own' } = state;
  switch (transfer.state) {
    case 'sent':
      return askedCard(transfer, unit);
    case 'failed':
    case 'cancelled':
    case 'unknown':
      return endedCard(transfer, transfer.state);
    default:
      return askingCard(state);
  }
}

function askingCard({ transfer, pause, policy }: CardState): CardParts {
  const isWaiting = transfer.state === 'approval';
  const names = namesOf(transfer);
  const text = isWaiting
    ? `Waiting for approval: file request to ${names}`
    : pause === undefined
      ? `Requesting files from ${names}…`
      : `Paused: file request to ${names}`;
  const confirmCancel = confirmation(
    'Cancel this request?',
    "The request won't be sent.",
    'Cancel request',
    'Keep request',
  );
  const cancel = button('Cancel', 'request.cancel', {
    value: transfer.id,
    style: 'danger',
    confirm: confirmCancel,
  });
  const head = [line({ bold: text })];
  // While the request is committing, it can't be cancelled: the contacts might already have been asked.
  if (transfer.state === 'committing') return { summary: text, head };
  if (transfer.cancelledBy !== undefined) return { summary: text, head, messages: ['Cancelling…'] };
  const messages = isWaiting ? waitingMessages(transfer) : pause === undefined ? [] : pauseMessages(pause);
  return { summary: text, head, messages, more: decisionBlocks(transfer, policy), buttons: [cancel] };
}

function askedCard(transfer: TransferWithDetails, unit: ExpiryUnit): CardParts {
  const { details, endedAt, createdAt } = transfer;
  const { expiresAfter, expiryDate, recipients, answers = [], askedAgainAt } = details;
  const asked = `Requested files from ${count(recipients.length, 'person', 'people')}`;
  const title = `${requestTitle(asked, details)}: ${namesOf(transfer)}`;
  const end = expiryOf((endedAt ?? createdAt).getTime() / 1000, expiresAfter, unit);
  const countedEnd = end === undefined ? undefined : moment(end);
  const endPiece = expiryDate === undefined ? countedEnd : datePiece(expiryDate);
  const time: Piece[] =
    endPiece === undefined
      ? [`They can upload for ${durationText(expiresAfter, unit)}.`]
      : ['They can upload until ', endPiece, '.'];
  const senders = [...new Set(answers.map(({ from }) => shownAddress(from)))];
  const answerText = senders.length === 0 ? 'No uploads yet' : `Uploaded by ${andList(senders)}`;
  const isAskedAgain = askedAgainAt !== undefined;
  return {
    summary: `${title}. ${isAskedAgain ? 'You asked again' : answerText}.${checklistText(details)}`,
    head: [line({ bold: title })],
    messages: correctionMessages(transfer),
    differences: differencesOf(details),
    more: [
      line(...time),
      ...(senders.length === 0 && !isAskedAgain ? [line(`${answerText}.`)] : answerBlocks(transfer)),
      ...askedAgainBlocks(details),
      ...checklistBlocks(details),
    ],
    buttons: buttonsOf(transfer),
  };
}

function askedAgainBlocks({ askedAgainAt }: TransferWithDetails['details']): Blocks {
  if (askedAgainAt === undefined) return [];
  return [
    line('You asked again on ', dateAndTime(new Date(askedAgainAt)), '. New uploads arrive at the newer request.'),
  ];
}

/** Whether the request can be asked again: not before its end. If it already was, only the newer request can. */
export const isAskable = ({ endedAt, details: { checklist, askedAgainAt } }: TransferWithDetails) =>
  endedAt !== undefined && !isComplete(checklist) && askedAgainAt === undefined;

function buttonsOf(transfer: TransferWithDetails): Button[] {
  const { id, state, details } = transfer;
  const { checklist, askedAgainBy } = details;
  if (askedAgainBy !== undefined) return [followUpButton(askedAgainBy)];
  if (!isAskable(transfer)) return [];
  const isTickable = checklist !== undefined && (state === 'sent' || state === 'unknown');
  const names = namesOf(transfer);
  const tickOff = button('Tick off…', 'request.show', { value: id, accessibilityLabel: `Tick off… ${names}` });
  return [...(isTickable ? [tickOff] : []), askAgainButton(id, names)];
}

/** Opens a modal with the content of the request's card. */
export const viewButton = (transfer: TransferWithDetails) =>
  button('View', 'request.show', { value: transfer.id, accessibilityLabel: `View request to ${namesOf(transfer)}` });

function requestTitle(asked: string, { difference, duplicate }: TransferWithDetails['details']): string {
  if (difference !== undefined) return `⚠️ ${asked}, with differences`;
  return duplicate === undefined ? asked : `⚠️ ${asked} twice`;
}

function endedCard(transfer: TransferWithDetails, state: 'unknown' | 'cancelled' | 'failed'): CardParts {
  const { details, id } = transfer;
  const names = namesOf(transfer);
  const unapproved = unapprovedTitle(transfer);
  const title = {
    unknown: `⚠️ Request unconfirmed: ${names}`,
    cancelled: `Your request to ${names} was cancelled`,
    failed: unapproved ? `${unapproved}: file request to ${names}` : `⚠️ Your request to ${names} couldn't be sent`,
  }[state];
  const message = truncateText(details.result?.message ?? '', 1_500);
  const reason = state === 'cancelled' ? '' : unapproved ? message : withReference(message, id);
  return {
    summary: `${title}. ${reason}`.trim(),
    head: [line({ bold: title }), ...(reason === '' ? [] : [line(reason)])],
    differences: differencesOf(details),
    more: [
      ...decisionBlocks(transfer),
      ...answerBlocks(transfer),
      ...askedAgainBlocks(details),
      ...checklistBlocks(details),
    ],
    buttons: buttonsOf(transfer),
  };
}

function differencesOf(details: TransferWithDetails['details']): string[] {
  const texts = differenceMessages(details);
  return texts.length === 0 ? [] : [...texts, holdMessage];
}

const maxAnswers = 20;
/** The last answers are shown with the names of their first files. */
export const maxNamedAnswers = 5;
export const maxNames = 5;

function answerBlocks({ details }: TransferWithDetails): Blocks {
  const { answers = [], recipients, askedAgainAt } = details;
  if (answers.length === 0) return [];
  const lines = answers
    .slice(-maxAnswers)
    .map(({ from, files, names = [], at }): Piece[] => [
      { bold: shownAddress(from) },
      ` sent ${count(files, 'file')} on `,
      dateAndTime(at),
      names.length === 0 ? '' : `: ${andList(names, maxNames, files)}`,
    ]);
  const senders = new Set(answers.map(({ from }) => from));
  const waiting = askedAgainAt === undefined ? recipients : [];
  const unanswered = waiting.map(({ email }) => email).filter((email) => !senders.has(email.toLowerCase()));
  return [
    list(lines),
    ...(unanswered.length === 0 ? [] : [note(`No uploads yet from ${andList(unanswered.map(shownAddress))}.`)]),
  ];
}

/** What has been uploaded for a request that was sent, and what is missing. */
export function uploadsText(details: TransferWithDetails['details']): string {
  const { answers = [], checklist, askedAgainAt } = details;
  if (askedAgainAt !== undefined) return 'You asked again';
  const files = answers.reduce((sum, answer) => sum + answer.files, 0);
  const uploaded = files === 0 ? 'No uploads yet' : `${count(files, 'file')} uploaded`;
  return checklist === undefined ? uploaded : `${uploaded}.${checklistText(details)}`.replace(/\.$/, '');
}

/** Opens the review of a request that repeats this one. */
export const askAgainButton = (id: string, names: string) =>
  button('Ask again', 'request.again', { value: id, accessibilityLabel: `Ask again: ${names}` });

export const namesOf = ({ details }: TransferWithDetails) =>
  andList(details.recipients.map(({ email }) => shownAddress(email)));
