import { withReference } from '../../../../errors.ts';
import {
  actions,
  type Blocks,
  button,
  confirmation,
  line,
  list,
  moment,
  note,
  type Piece,
  section,
} from '../../../../slack/blocks.ts';
import { cutTo } from '../../../../slack/limits.ts';
import { type Content, contentOf } from '../../../../slack/messages.ts';
import { andList, count, expiresAfter, shownAddress } from '../../../../slack/words.ts';
import { endOf } from '../../../settings/expiry.ts';
import type { TtlUnit } from '../../../settings/settings.ts';
import type { OpenTransfer } from '../../repository.ts';
import { differenceMessages, laterMessages, pausedMessage, watchOf } from '../../words.ts';

/** The requester's card, updated as the request goes on. */
export function requestCard(transfer: OpenTransfer, unit: TtlUnit): Content {
  switch (transfer.state) {
    case 'sent':
      return askedCard(transfer, unit);
    case 'failed':
    case 'cancelled':
    case 'unknown':
      return endedCard(transfer);
    default:
      return askingCard(transfer);
  }
}

function askingCard(transfer: OpenTransfer): Content {
  const text = `Asking ${namesOf(transfer)} for files …`;
  const stop = confirmation('Cancel this request?', 'Nobody will be asked for files.', 'Cancel it', 'Go on');
  const cancel = button('Cancel', 'request.cancel', { value: transfer.id, confirm: stop });
  // From then on, the contacts could have been asked already.
  const isTooLate = transfer.state === 'committing';
  return contentOf(text, [line({ bold: text }), ...(isTooLate ? [] : [actions(cancel)])]);
}

function askedCard(transfer: OpenTransfer, unit: TtlUnit): Content {
  const { details, endedAt, createdAt } = transfer;
  const { timeToLive, receivers, answers = [] } = details;
  const asked = `Asked ${count(receivers.length, 'person', 'people')} for files`;
  const title = `${requestTitle(asked, details)}: ${namesOf(transfer)}`;
  const later = laterMessages(transfer);
  const end = endOf((endedAt ?? createdAt).getTime() / 1000, timeToLive, unit);
  const time: Piece[] =
    end === undefined
      ? [`They can upload for ${expiresAfter(timeToLive, unit)}.`]
      : ['They can upload until ', moment(end), '.'];
  const senders = [...new Set(answers.map(({ from }) => shownAddress(from)))];
  const how = senders.length === 0 ? 'No answer yet' : `Answered by ${andList(senders)}`;
  return contentOf([`${title}. ${how}.`, ...later, ...alarmed(details)].join(' '), [
    line({ bold: title }),
    ...(later.length === 0 ? [] : [section(later.join('\n'))]),
    ...alarm(details),
    line(...time),
    ...(senders.length === 0 ? [line(`${how}.`)] : answered(transfer)),
  ]);
}

function requestTitle(asked: string, { difference, duplicate }: OpenTransfer['details']): string {
  if (difference !== undefined) return `⚠️ ${asked}, but not as confirmed`;
  return duplicate === undefined ? asked : `⚠️ ${asked} twice`;
}

function endedCard(transfer: OpenTransfer): Content {
  const { state, details, id } = transfer;
  const names = namesOf(transfer);
  const title = {
    unknown: `⚠️ Nobody knows whether ${names} can upload files`,
    cancelled: `Your request to ${names} was stopped: nobody was asked`,
    failed: `⚠️ Your request to ${names} did not go out`,
  }[state as 'unknown' | 'cancelled' | 'failed'];
  const why = state === 'cancelled' ? '' : withReference(cutTo(details.result?.sentence ?? '', 1_500), id);
  const watch = watchOf(transfer);
  const text = [`${title}. ${why}`, ...(watch === undefined ? [] : [watch.text]), ...alarmed(details)].join(' ');
  return contentOf(text, [
    line({ bold: title }),
    ...(why === '' ? [] : [line(why)]),
    ...(watch === undefined ? [] : [line(...watch.pieces)]),
    ...alarm(details),
    ...answered(transfer),
    actions(button('Ask again', 'request.open', { says: `Ask ${names} again` })),
  ]);
}

function alarmed(details: OpenTransfer['details']): string[] {
  const strange = differenceMessages(details);
  return strange.length === 0 ? [] : [...strange, pausedMessage];
}

function alarm(details: OpenTransfer['details']): Blocks {
  const sentences = alarmed(details);
  return sentences.length === 0 ? [] : [section(sentences.join('\n'))];
}

const mostAnswers = 20;

function answered({ details }: OpenTransfer): Blocks {
  const { answers = [], receivers } = details;
  if (answers.length === 0) return [];
  const lines = answers
    .slice(-mostAnswers)
    .map(({ from, files, at }): Piece[] => [
      { bold: shownAddress(from) },
      ` sent ${count(files, 'file')} `,
      moment(at),
    ]);
  const senders = new Set(answers.map(({ from }) => from));
  const silent = receivers.map(({ email }) => email).filter((email) => !senders.has(email.toLowerCase()));
  return [
    list(lines),
    ...(silent.length === 0 ? [] : [note(`No answer yet from ${andList(silent.map(shownAddress))}.`)]),
  ];
}

const namesOf = ({ details }: OpenTransfer) => andList(details.receivers.map(({ email }) => shownAddress(email)));
