import type { Button } from '@slack/types';
import { withReference } from '../../../lib/errors.ts';
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
} from '../../../slack/blocks.ts';
import { truncateText } from '../../../slack/limits.ts';
import { andList, count, durationText, shownAddress } from '../../../slack/words.ts';
import { expiryOf } from '../../settings/expiry.ts';
import type { ExpiryUnit } from '../../settings/repository.ts';
import { maxNames } from '../answers/notify.ts';
import { decisionBlocks, waitingMessages } from '../approval/card.ts';
import {
  correctionMessages,
  differenceMessages,
  holdMessage,
  pauseMessages,
  plannedBlocks,
  plannedButtons,
  unapprovedTitle,
} from '../cards/card.ts';
import { checklistBlocks, checklistText, followUpButton } from '../checklist/card.ts';
import { datePiece, plannedLines } from '../expiry.ts';
import type { CardParts, CardState } from '../shown-kind.ts';
import type { FileRequest, RequestAnswers, TransferProgress } from '../transfer.ts';
import { isComplete } from '../transfer.ts';
import { requestKind } from './kind.ts';

export function requestCard(state: CardState<FileRequest>): CardParts {
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

function askingCard({ transfer, pause, policy }: CardState<FileRequest>): CardParts {
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
  if (transfer.state === 'planned') {
    const summary = `${transfer.plannedFor === undefined ? 'Requesting files soon' : 'Planned file request'}: ${names}`;
    const more = [...plannedBlocks(transfer), ...decisionBlocks(transfer)];
    const buttons = plannedButtons(transfer, transfer.id, `request to ${names}`, cancel);
    return { summary, head: [line({ bold: summary })], more, buttons };
  }
  const head = [line({ bold: text })];
  // While the request is committing, it can't be cancelled: the contacts might already have been asked.
  if (transfer.state === 'committing') return { summary: text, head };
  if (transfer.cancelledBy !== undefined) return { summary: text, head, messages: ['Cancelling…'] };
  const messages = isWaiting ? waitingMessages(transfer) : pause === undefined ? [] : pauseMessages(pause);
  return {
    summary: text,
    head,
    messages,
    more: [...(isWaiting ? plannedLines(transfer) : []), ...decisionBlocks(transfer, policy)],
    buttons: [cancel],
  };
}

function askedCard(transfer: FileRequest, unit: ExpiryUnit): CardParts {
  const { endedAt, createdAt, expiresAfter, expiryDate, recipients, answers, askedAgain, progress } = transfer;
  const asked = `Requested files from ${count(recipients.length, 'person', 'people')}`;
  const title = `${requestTitle(asked, progress)}: ${namesOf(transfer)}`;
  const end = expiryOf((endedAt ?? createdAt).getTime() / 1000, expiresAfter, unit);
  const countedEnd = end === undefined ? undefined : moment(end);
  const endPiece = expiryDate === undefined ? countedEnd : datePiece(expiryDate);
  const time: Piece[] =
    endPiece === undefined
      ? [`They can upload for ${durationText(expiresAfter, unit)}.`]
      : ['They can upload until ', endPiece, '.'];
  const senders = [...new Set(answers.map(({ from }) => shownAddress(from)))];
  const answerText = senders.length === 0 ? 'No uploads yet' : `Uploaded by ${andList(senders)}`;
  const isAskedAgain = askedAgain !== undefined;
  return {
    summary: `${title}. ${isAskedAgain ? 'You asked again' : answerText}.${checklistText(transfer)}`,
    head: [line({ bold: title })],
    messages: correctionMessages(requestKind.texts, progress),
    differences: differencesOf(progress),
    more: [
      line(...time),
      ...(senders.length === 0 && !isAskedAgain ? [line(`${answerText}.`)] : answerBlocks(transfer)),
      ...askedAgainBlocks(transfer),
      ...checklistBlocks(transfer),
    ],
    buttons: buttonsOf(transfer),
  };
}

function askedAgainBlocks({ askedAgain }: FileRequest): Blocks {
  if (askedAgain === undefined) return [];
  return [
    line('You asked again on ', dateAndTime(new Date(askedAgain.at)), '. New uploads arrive at the newer request.'),
  ];
}

/** Whether the request can be asked again: not before its end. If it already was, only the newer request can. */
const isAskable = (request: FileRequest) =>
  request.endedAt !== undefined && !isComplete(request) && request.askedAgain === undefined;

function buttonsOf(transfer: FileRequest): Button[] {
  const { id, state, checklist, askedAgain } = transfer;
  if (askedAgain !== undefined) return [followUpButton(askedAgain.by)];
  if (!isAskable(transfer)) return [];
  const isTickable = checklist !== undefined && (state === 'sent' || state === 'unknown');
  const names = namesOf(transfer);
  const tickOff = button('Tick off…', 'request.show', { value: id, accessibilityLabel: `Tick off… ${names}` });
  return [...(isTickable ? [tickOff] : []), askAgainButton(id, names)];
}

/** The button to ask again; none if the request can't be asked again. */
export const repeatRequestButtons = (transfer: FileRequest): Button[] =>
  isAskable(transfer) ? [askAgainButton(transfer.id, namesOf(transfer))] : [];

/** Opens a modal with the content of the request's card. */
export const viewButton = (transfer: FileRequest) =>
  button('View', 'request.show', { value: transfer.id, accessibilityLabel: `View request to ${namesOf(transfer)}` });

function requestTitle(asked: string, { difference, duplicate }: TransferProgress): string {
  if (difference !== undefined) return `⚠️ ${asked}, with differences`;
  return duplicate === undefined ? asked : `⚠️ ${asked} twice`;
}

function endedCard(transfer: FileRequest, state: 'unknown' | 'cancelled' | 'failed'): CardParts {
  const { progress, id } = transfer;
  const names = namesOf(transfer);
  const unapproved = unapprovedTitle(transfer.progress);
  const title = {
    unknown: `⚠️ Request unconfirmed: ${names}`,
    cancelled: `Your request to ${names} was cancelled`,
    failed: unapproved ? `${unapproved}: file request to ${names}` : `⚠️ Your request to ${names} couldn't be sent`,
  }[state];
  const message = truncateText(progress.result?.message ?? '', 1_500);
  const reason = state === 'cancelled' ? '' : unapproved ? message : withReference(message, id);
  return {
    summary: `${title}. ${reason}`.trim(),
    head: [line({ bold: title }), ...(reason === '' ? [] : [line(reason)])],
    differences: differencesOf(progress),
    more: [
      ...decisionBlocks(transfer),
      ...answerBlocks(transfer),
      ...askedAgainBlocks(transfer),
      ...checklistBlocks(transfer),
    ],
    buttons: buttonsOf(transfer),
  };
}

function differencesOf(progress: TransferProgress): string[] {
  const texts = differenceMessages(progress);
  return texts.length === 0 ? [] : [...texts, holdMessage];
}

const maxAnswers = 20;

function answerBlocks({ answers, recipients, askedAgain }: FileRequest): Blocks {
  if (answers.length === 0) return [];
  const lines = answers
    .slice(-maxAnswers)
    .map(({ from, files, names = [], at, channel }): Piece[] => [
      { bold: shownAddress(from) },
      files === 0 ? ' sent files' : ` sent ${count(files, 'file')}`,
      ...(channel === undefined ? [] : [' to ', { channel }]),
      ' on ',
      dateAndTime(at),
      names.length === 0 ? '' : `: ${andList(names, maxNames, files)}`,
    ]);
  const senders = new Set(answers.map(({ from }) => from));
  const waiting = askedAgain === undefined ? recipients : [];
  const unanswered = waiting.map(({ email }) => email).filter((email) => !senders.has(email.toLowerCase()));
  return [
    list(lines),
    ...(unanswered.length === 0 ? [] : [note(`No uploads yet from ${andList(unanswered.map(shownAddress))}.`)]),
  ];
}

/** What has been uploaded for a request that was sent, and what is missing. */
export function uploadsText(request: FileRequest): string {
  const { answers, checklist, askedAgain } = request;
  if (askedAgain !== undefined) return 'You asked again';
  const uploaded = uploadedText(answers);
  return checklist === undefined ? uploaded : `${uploaded}.${checklistText(request)}`.replace(/\.$/, '');
}

/** How many files were uploaded, as far as the reader can know. */
export function uploadedText(answers: RequestAnswers['answers']): string {
  if (answers.length === 0) return 'No uploads yet';
  const files = answers.reduce((sum, answer) => sum + answer.files, 0);
  return files === 0 ? 'Files uploaded' : `${count(files, 'file')} uploaded`;
}

/** Opens the review of a request that repeats this one. */
export const askAgainButton = (id: string, names: string) =>
  button('Ask again', 'request.again', { value: id, accessibilityLabel: `Ask again: ${names}` });

export const namesOf = ({ recipients }: FileRequest) => andList(recipients.map(({ email }) => shownAddress(email)));
