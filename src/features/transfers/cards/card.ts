import type { Button, ModalView } from '@slack/types';
import {
  actions,
  type Blocks,
  button,
  confirmation,
  dateAndTime,
  line,
  moment,
  note,
  type Piece,
  section,
} from '../../../slack/blocks.ts';
import { fitMiddle } from '../../../slack/limits.ts';
import { type Content, contentOf, withDeskName, withoutButtons } from '../../../slack/messages.ts';
import { modal } from '../../../slack/views.ts';
import { andList, count, oneLine } from '../../../slack/words.ts';
import type { Pause } from '../../pause/repository.ts';
import type { KindTexts } from '../kind.ts';
import type { EarlierAttempt } from '../outcome/duplicates.ts';
import type { CardState, ShownKinds } from '../shown-kind.ts';
import type { Transfer, TransferProgress } from '../transfer.ts';

/** The one message about a transfer, updated from its start to its end. */
export function cardOf(kinds: ShownKinds, state: CardState): Content {
  const { transfer } = state;
  const { texts, card } = kinds[transfer.kind];
  const { summary, head, messages = [], differences = [], more = [], buttons = [], footer = [] } = card(state);
  const checkNotice = checkNoticeOf(texts, transfer);
  const repeat = transfer.repeats === undefined ? undefined : texts.repeat;
  const text = [
    summary,
    ...(repeat === undefined ? [] : [repeat]),
    ...messages,
    ...(checkNotice === undefined ? [] : [checkNotice.text]),
    ...differences,
  ].join(' ');
  const content = contentOf(text, [
    ...head,
    ...(repeat === undefined ? [] : [line(repeat)]),
    ...sectionOf(messages),
    ...(checkNotice === undefined ? [] : [line(...checkNotice.pieces)]),
    ...sectionOf(differences),
    ...more,
    ...(buttons.length === 0 ? [] : [actions(...buttons)]),
    ...footer,
  ]);
  return withDeskName(content, state.desk);
}

const sectionOf = (messages: readonly string[]) => (messages.length === 0 ? [] : [section(messages.join('\n'))]);

/** The title of a transfer that wasn't approved; undefined for any other. */
export function unapprovedTitle({ result }: TransferProgress): string | undefined {
  if (result?.code === 'declined') return 'Declined';
  return result?.code === 'approval-expired' ? 'Not approved in time' : undefined;
}

export const endTexts: Partial<Record<Transfer['state'], string>> = {
  sent: 'Sent',
  failed: '⚠️ Not sent',
  cancelled: 'Cancelled',
  unknown: '⚠️ Delivery unconfirmed',
};

/** How a transfer ended, for a list. */
export function endText({ state, progress }: Transfer): string {
  const unapproved = unapprovedTitle(progress);
  if (unapproved !== undefined) return unapproved;
  if (state === 'sent' && progress.difference !== undefined) return '⚠️ Sent with differences';
  if (state === 'sent' && progress.duplicate !== undefined) return '⚠️ Sent twice';
  if (state === 'failed' && isProbablyNotSent(progress)) return '⚠️ Probably not sent';
  return endTexts[state] ?? state;
}

/** The messages for a transfer that was sent with other files or recipients than confirmed. */
export function differenceMessages({ difference }: TransferProgress): string[] {
  if (difference === undefined) return [];
  return [difference.message, `Affected: ${andList(difference.names, 20)}.`];
}

/** The messages for a transfer that waits because of a pause. */
export const pauseMessages = ({ reason }: Pick<Pause, 'reason'>): string[] => [
  `Paused by an admin: ${reason}${/[.!?…]$/.test(reason) ? '' : '.'}`,
  'It continues when an admin resumes it. You can cancel it.',
];

/** Above the form that Undo opens. */
export const undoneText = '✅ Undone. Nothing was sent.';

/** When a transfer starts that can still be undone or changed. */
export function plannedBlocks({ startsAt, plannedFor, progress: { deleted = [] } }: Transfer): Blocks {
  if (startsAt === undefined) return [];
  if (deleted.length > 0)
    return [section(`⚠️ Deleted in Slack: ${andList(deleted, 10)}. It won't be sent like this: edit or cancel it.`)];
  if (plannedFor !== undefined)
    return [line('Goes out ', moment(plannedFor), '. Everything is checked again before that.')];
  const time = { seconds: Math.ceil(startsAt.getTime() / 1000), format: '{time_secs}' };
  return [line('Goes out at ', time, '. Until then, you can undo it.')];
}

/** @param value of the buttons: the transfer's id, as its kind writes it */
export function plannedButtons({ kind, plannedFor }: Transfer, value: string, of: string, cancel: Button): Button[] {
  const now = button('Send now', `${kind}.now`, { value, accessibilityLabel: `Send now: ${of}` });
  if (plannedFor === undefined)
    return [button('Undo', `${kind}.undo`, { value, accessibilityLabel: `Undo ${of}` }), now];
  const confirm = confirmation(
    'Edit this?',
    "It's cancelled, and the form opens with everything in it.",
    'Edit',
    'Back',
  );
  return [button('Edit…', `${kind}.undo`, { value, accessibilityLabel: `Edit… ${of}`, confirm }), now, cancel];
}

export const holdMessage = 'An admin has been notified. Sending is on hold until an admin reviews it.';

export const isProbablyNotSent = ({ result }: TransferProgress) => result?.code === 'probably-not-sent';

interface CheckNotice {
  pieces: Piece[];
  /** The notice as plain text, with the time in UTC, because plain text can't use the reader's time zone. */
  text: string;
}

/** Says until when the history is checked for the transfer. */
function checkNoticeOf({ resendWarning }: KindTexts, { state, progress }: Transfer): CheckNotice | undefined {
  const { watchedUntil } = progress;
  if (watchedUntil === undefined) return undefined;
  const start = "I'll keep checking the history until ";
  const end = resendWarning[state === 'unknown' ? 'unknown' : 'failed'];
  const utc = new Date(watchedUntil).toISOString().slice(0, 16).replace('T', ' ');
  return { pieces: [start, moment(Math.floor(watchedUntil / 1000)), end], text: `${start}${utc} UTC${end}` };
}

/** Corrects what the person was told about a transfer that ended in doubt: it was sent after all, or sent twice. */
export function correctionMessages({ correction }: KindTexts, { found, duplicate }: TransferProgress): string[] {
  const earlierMessage = `I told you that this was ${found?.after === 'failed' ? 'probably not sent' : 'unconfirmed'}`;
  if (found === undefined) return duplicate === undefined ? [] : [`${correction.earlier}, ${correction.twice}`];
  if (duplicate === undefined) return [`${earlierMessage}. The history now shows that ${correction.sent}`];
  return [`${earlierMessage}, and ${correction.again}, ${correction.twice}`];
}

/** The warning before a person resends something that might have been sent, or approves such a resend. */
export function duplicateWarning(
  { tried, duplicate }: KindTexts,
  { at, state, watchedUntil }: EarlierAttempt,
  reader: 'sender' | 'approver' = 'sender',
): Piece[] {
  const subject = reader === 'sender' ? 'You' : 'The sender';
  const pieces: Piece[] = [{ bold: '⚠️ Possible duplicate. ' }, `${subject} ${tried} on `, dateAndTime(at)];
  const warning = duplicate[reader];
  if (state === 'sent') return [...pieces, `. It was sent after all. ${warning}`];
  const stateText = state === 'unknown' ? 'Delivery is unconfirmed.' : 'It was probably not sent.';
  const checkPieces: Piece[] =
    watchedUntil === undefined
      ? [' ']
      : [" I'll keep checking the history until ", moment(Math.floor(watchedUntil / 1000)), '. '];
  return [...pieces, `. ${stateText}`, ...checkPieces, warning];
}

/** What a repeated transfer leaves out or changes. */
export const repeatNoticeBlocks = (notices: readonly string[] = []): Blocks =>
  notices.map((notice) => section(`⚠️ ${notice}`));

/** Replaces the review of a transfer that was just confirmed, until there is more to show. */
export function confirmedView(
  { dialog }: KindTexts,
  { ahead, needsApproval }: { ahead: number; needsApproval: boolean },
): ModalView {
  const updateText = "I'll update you in our direct messages.";
  if (needsApproval) return modal('Review', [section(`Waiting for approval. ${updateText}`)]);
  const queueText = ahead === 0 ? '' : ` ${count(ahead, 'transfer')} ahead of yours.`;
  return modal(dialog.running, [section(`${dialog.start}${queueText} ${updateText}`)]);
}

/**
 * The modal in which the transfer was confirmed. It shows the same as the card, without the buttons, except to undo it.
 */
export function dialogOf(kinds: ShownKinds, state: CardState): ModalView {
  const { kind, endedAt, state: transferState } = state.transfer;
  const card = cardOf(kinds, state);
  const { running, ended } = kinds[kind].texts.dialog;
  const isEnded = endedAt !== undefined;
  const hint = isEnded ? 'If anything changes,' : 'You can close this.';
  return modal(isEnded ? ended : running, [
    ...(transferState === 'planned' ? card : withoutButtons(card)).blocks,
    note(`${hint} I'll update you in our direct messages.`),
  ]);
}

/** Up to three recipients for a list of transfers. */
export const listedRecipients = ({ recipients }: Transfer): string =>
  andList(
    recipients.map(({ email }) => fitMiddle(oneLine(email), 100)),
    3,
  );
