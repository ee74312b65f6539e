import type { Button, Overflow } from '@slack/types';
import { actions, type Blocks, dateAndTime, line, moment, type Piece, section } from '../../slack/blocks.ts';
import { type Content, contentOf } from '../../slack/messages.ts';
import { andList } from '../../slack/words.ts';
import type { Progress } from '../common/services.ts';
import type { ApprovalPolicy } from '../settings/approval/fields.ts';
import type { Pause } from '../settings/pause/repository.ts';
import type { ExpiryUnit } from '../settings/repository.ts';
import type { EarlierAttempt } from './duplicates.ts';
import type { TransferDetails, TransferKind, TransferWithDetails } from './repository.ts';

export interface CardState {
  transfer: TransferWithDetails;
  /** Known only to the process that runs the transfer's job. */
  progress?: Progress | undefined;
  /** Recent speed, in bytes per second. */
  rate?: number | undefined;
  /** How many transfers of the account are ahead of it in the queue. */
  ahead?: number;
  /** Whether it was retried. Then its card has no button to retry it. */
  isRetried?: boolean;
  /** The unit of its expiry. */
  unit?: ExpiryUnit;
  /** Why it waits, if sending or requests are paused. */
  pause?: Pick<Pause, 'reason'> | undefined;
  /** Says who can approve it. */
  policy?: ApprovalPolicy;
}

/**
 * The parts of a card that differ between kinds of transfer. The plain text begins with `summary`, the blocks with
 * `head`.
 */
export interface CardParts {
  summary: string;
  head: Blocks;
  messages?: readonly string[];
  /** Shown after the notice of how long the history is checked. */
  differences?: readonly string[];
  more?: Blocks;
  buttons?: readonly (Button | Overflow)[];
  footer?: Blocks;
}

/** The one message about a transfer, updated from its start to its end. */
export function cardContent(transfer: TransferWithDetails, parts: CardParts): Content {
  const { summary, head, messages = [], differences = [], more = [], buttons = [], footer = [] } = parts;
  const checkNotice = checkNoticeOf(transfer);
  const repeat = repeatText(transfer);
  const text = [
    summary,
    ...(repeat === undefined ? [] : [repeat]),
    ...messages,
    ...(checkNotice === undefined ? [] : [checkNotice.text]),
    ...differences,
  ].join(' ');
  return contentOf(text, [
    ...head,
    ...(repeat === undefined ? [] : [line(repeat)]),
    ...sectionOf(messages),
    ...(checkNotice === undefined ? [] : [line(...checkNotice.pieces)]),
    ...sectionOf(differences),
    ...more,
    ...(buttons.length === 0 ? [] : [actions(...buttons)]),
    ...footer,
  ]);
}

const sectionOf = (messages: readonly string[]) => (messages.length === 0 ? [] : [section(messages.join('\n'))]);

/** The messages for a transfer that was sent with other files or recipients than confirmed. */
export function differenceMessages({ difference }: TransferDetails): string[] {
  if (difference === undefined) return [];
  return [difference.message, `Affected: ${andList(difference.names, 20)}.`];
}

/** The messages for a transfer that waits because of a pause. */
export const pauseMessages = ({ reason }: Pick<Pause, 'reason'>): string[] => [
  `Paused by an admin: ${reason}${/[.!?…]$/.test(reason) ? '' : '.'}`,
  'It continues when an admin resumes it. You can cancel it.',
];

export const holdMessage = 'An admin has been notified. Sending is on hold until an admin reviews it.';

export const isProbablyNotSent = ({ result }: TransferDetails) => result?.code === 'probably-not-sent';

interface CheckNotice {
  pieces: Piece[];
  /** The notice as plain text, with the time in UTC, because plain text can't use the reader's time zone. */
  text: string;
}

/** Says until when the history is checked for the transfer. */
function checkNoticeOf({ kind, state, details }: TransferWithDetails): CheckNotice | undefined {
  const { watchedUntil } = details;
  if (watchedUntil === undefined) return undefined;
  const start = "I'll keep checking the history until ";
  const end = kind === 'request' ? askAgainWarning : state === 'unknown' ? '.' : resendWarning;
  const utc = new Date(watchedUntil).toISOString().slice(0, 16).replace('T', ' ');
  return { pieces: [start, moment(Math.floor(watchedUntil / 1000)), end], text: `${start}${utc} UTC${end}` };
}

const resendWarning = '. If you send it again before then, the recipients could get it twice.';
const askAgainWarning = '. If you ask again before then, they could be asked twice.';

/** Corrects what the person was told about a transfer that ended in doubt: it was sent after all, or sent twice. */
export function correctionMessages({ kind, details }: Pick<TransferWithDetails, 'kind' | 'details'>): string[] {
  const { found, duplicate } = details;
  const texts = correctionTexts[kind];
  const earlierMessage = `I told you that this was ${found?.after === 'failed' ? 'probably not sent' : 'unconfirmed'}`;
  if (found === undefined) return duplicate === undefined ? [] : [`${texts.earlier}, ${texts.twice}`];
  if (duplicate === undefined) return [`${earlierMessage}. The history now shows that ${texts.sent}`];
  return [`${earlierMessage}, and ${texts.again}, ${texts.twice}`];
}

const correctionTexts = {
  send: {
    sent: "it was sent. Don't send it again.",
    again: 'you sent it again. Both were sent',
    earlier: 'Your earlier try was sent too',
    twice: 'so the recipients have it twice.',
  },
  request: {
    sent: "they were asked. Don't ask again.",
    again: 'you asked again. Both requests went out',
    earlier: 'Your earlier request went out too',
    twice: 'so they were asked twice.',
  },
};

/** The warning before a person resends something that might have been sent, or approves such a resend. */
export function duplicateWarning(
  kind: TransferKind,
  { at, state, watchedUntil }: EarlierAttempt,
  reader: 'sender' | 'approver' = 'sender',
): Piece[] {
  const subject = reader === 'sender' ? 'You' : 'The sender';
  const intro = kind === 'request' ? `${subject} tried to ask them on ` : `${subject} tried to send this on `;
  const pieces: Piece[] = [{ bold: '⚠️ Possible duplicate. ' }, intro, dateAndTime(at)];
  const warning = duplicateTexts[reader][kind];
  if (state === 'sent') return [...pieces, `. It was sent after all. ${warning}`];
  const stateText = state === 'unknown' ? 'Delivery is unconfirmed.' : 'It was probably not sent.';
  const checkPieces: Piece[] =
    watchedUntil === undefined
      ? [' ']
      : [" I'll keep checking the history until ", moment(Math.floor(watchedUntil / 1000)), '. '];
  return [...pieces, `. ${stateText}`, ...checkPieces, warning];
}

const duplicateTexts = {
  sender: {
    send: 'If you send it again now, the recipients could get it twice.',
    request: 'If you ask again now, they could be asked twice.',
  },
  approver: {
    send: 'If you approve this, the recipients could get it twice.',
    request: 'If you approve this, they could be asked twice.',
  },
};

/** A text on the card of a repeated transfer, to distinguish it from the first card. */
export const repeatText = ({ kind, details: { repeats } }: TransferWithDetails): string | undefined =>
  repeats === undefined ? undefined : repeatTexts[kind];

/** A request is a follow-up, because it can have fewer points and other contacts than the first one. */
const repeatTexts = { send: 'Repeats an earlier transfer.', request: 'Follow-up to an earlier request.' };

/** What a repeated transfer leaves out or changes. */
export const repeatNoticeBlocks = (notices: readonly string[] = []): Blocks =>
  notices.map((notice) => section(`⚠️ ${notice}`));
