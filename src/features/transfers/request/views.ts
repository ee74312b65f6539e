import type { ModalView, Option } from '@slack/types';
import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import {
  actions,
  button,
  dateAndTime,
  line,
  list,
  note,
  type Piece,
  section,
  textField,
  wholeList,
} from '../../../slack/blocks.ts';
import { withoutButtons } from '../../../slack/messages.ts';
import { codec } from '../../../slack/metadata.ts';
import { modal } from '../../../slack/views.ts';
import { count, shownAddress, shownDetails } from '../../../slack/words.ts';
import { recipientsField } from '../../contacts/list/suggest.ts';
import type { Pauses } from '../../pause/repository.ts';
import { pausedReviewBlocks, pauseNotices } from '../../pause/views.ts';
import { type DeskChoice, fromDesk, fromField, missingBlocks } from '../../settings/desks/fields.ts';
import type { Expiry, ExpiryUnit } from '../../settings/repository.ts';
import { requestsOffBlocks } from '../../settings/views.ts';
import type { ApprovalNotice } from '../approval/checks.ts';
import { noteBlocks, noticeBlocks, submitLabel } from '../approval/views.ts';
import { cardOf, duplicateWarning, repeatNoticeBlocks } from '../cards/card.ts';
import { checklistMessage } from '../checklist/card.ts';
import { expiryBlocks, expiryPieces, plannedField, plannedLines } from '../expiry.ts';
import type { EarlierAttempt } from '../outcome/duplicates.ts';
import type { CardState, ShownKinds } from '../shown-kind.ts';
import type { FileRequest } from '../transfer.ts';
import { repeatRequestButtons } from './card.ts';
import { requestKind } from './kind.ts';

const title = 'Request files';

/** The request that the form repeats, and what was entered in an earlier review of the form. */
export const requestMetadata = codec(
  'request form',
  z.object({
    repeats: z.string().max(36).optional(),
    note: z.string().max(bounds.approvalNoteChars).optional(),
    plannedFor: z.number().optional(),
  }),
);

/** What was entered before, to show the form again. */
export interface EnteredRequest {
  recipients: readonly Option[];
  message?: string;
  expiresAfter?: number;
  expiryDate?: string;
  points?: readonly string[];
  /** The id of the request that this one repeats. */
  repeats?: string;
  /** The note to the approver. */
  note?: string;
  plannedFor?: number;
  /** Shown above the fields. */
  notice?: string;
  /** See `SendForm`. */
  from?: DeskChoice | undefined;
  missing?: string | undefined;
}

export function requestView(expiry: Expiry, entered?: EnteredRequest, pauses: Pauses = {}): ModalView {
  return modal(
    title,
    [
      ...(entered?.from === undefined ? [] : [fromField(entered.from)]),
      ...pauseNotices(pauses, ['requests']),
      ...(entered?.notice === undefined ? [] : [section(`⚠️ ${entered.notice}`)]),
      section('Recipients get a link to a page where they can upload files for you.'),
      recipientsField('Request from', entered?.recipients, { reportsEntries: true }),
      ...missingBlocks(entered?.missing),
      ...expiryBlocks(expiry, entered?.expiryDate ?? entered?.expiresAfter ?? expiry.expiryDefault, {
        action: 'request.expiry',
      }),
      // Slack adds “(optional)” to both labels, but one of the fields is needed.
      section('Enter a message, a checklist or both. They are included in the email.'),
      textField('message', 'Message', {
        value: entered?.message,
        multiline: true,
        optional: true,
        placeholder: 'For example: Please send me the signed contract. Anna Berg, Acme',
        hint: "Your name isn't in the email, so say who you are.",
      }),
      textField('points', 'Checklist, one point per line', {
        value: entered?.points?.join('\n'),
        multiline: true,
        optional: true,
        placeholder: 'For example: Passport',
        hint: `What you need, up to ${bounds.points} points. You tick off what arrives.`,
      }),
    ],
    {
      id: 'request.form',
      submit: 'Review',
      close: 'Cancel',
      metadata: requestMetadata.write({
        repeats: entered?.repeats,
        note: entered?.note,
        plannedFor: entered?.plannedFor,
      }),
    },
  );
}

export interface RequestReview {
  reviewId: string;
  recipients: readonly { email: string; number?: string; nick?: string }[];
  message: string;
  points?: readonly string[];
  expiresAfter: number;
  expiryDate?: string;
  unit: ExpiryUnit;
  /** When the request that this one repeats was confirmed. */
  repeatsFrom?: Date;
  /** What a repeated request leaves out or changes. */
  notices?: readonly string[];
  /** The request that this one could duplicate. */
  earlier?: EarlierAttempt;
  /** Who reads the review; the sender by default. */
  reader?: 'sender' | 'approver';
  /** Set if another person has to approve it. */
  approval?: ApprovalNotice;
  /** What the note to the approver says at first. */
  note?: string;
  /** The time to send it: what the field says at first, or what was confirmed. */
  plannedFor?: number;
  pauses?: Pauses;
  /** Whether the reader can end a pause. */
  canResume?: boolean;
  /** The name of the desk that it goes out from, where the workspace has several. */
  desk?: string | undefined;
}

/** Shows who will be asked, by address and number, never by nickname alone. */
export function confirmView(review: RequestReview): ModalView {
  const { recipients, message, points = [], expiresAfter, unit, earlier, approval, notices, pauses = {} } = review;
  const people = count(recipients.length, 'person', 'people');
  const label = `Request from ${people}`;
  const submit = submitLabel(approval, fromDesk(review.desk, [label, 'Request'], label));
  const canSubmit = pauses.requests === undefined && submit !== '';
  const isForSender = review.reader !== 'approver';
  const filesText = points.length === 0 ? firstFilesText : checklistFilesText;
  const recipientLines = recipients.map((one): Piece[] => [{ bold: shownAddress(one.email) }, shownDetails(one)]);
  return modal(
    title,
    [
      ...noticeBlocks(approval),
      ...pausedReviewBlocks('requests', pauses.requests, { canResume: review.canResume, submit }),
      ...(earlier === undefined ? [] : [line(...duplicateWarning(requestKind.texts, earlier, review.reader))]),
      ...(review.repeatsFrom === undefined
        ? []
        : [line('Follow-up to your request of ', dateAndTime(review.repeatsFrom), '.')]),
      ...repeatNoticeBlocks(notices),
      ...(review.desk === undefined ? [] : [line('From ', { bold: review.desk })]),
      line({ bold: `${people} can upload files${isForSender ? ' for you' : ''}:` }),
      ...wholeList(recipientLines),
      line(...expiryPieces(new Date(), expiresAfter, unit, review.expiryDate), message === '' ? '.' : '. Message:'),
      ...(message === '' ? [] : [section(message)]),
      ...(points.length === 0 ? [] : [line({ bold: 'Checklist:' }), list(points.map((point) => [point]))]),
      ...(isForSender ? [] : plannedLines(review)),
      ...(canSubmit && isForSender ? [plannedField(review.plannedFor), ...noteBlocks(approval, review.note)] : []),
      section(message === '' ? "⚠️ There's no message, so recipients can't tell who is asking." : senderText),
      note(`Requests can't be revoked.${isForSender ? ` ${filesText}` : ''}`),
      ...(isForSender ? [actions(button('Back', 'request.back'))] : []),
    ],
    {
      id: 'request.confirm',
      submit: canSubmit ? submit : undefined,
      close: 'Cancel',
      metadata: review.reviewId,
    },
  );
}

/** The service knows only the account that the whole workspace shares. */
const senderText = 'Only the message tells recipients who is asking.';
const firstFilesText =
  'The first files from each person arrive in the thread of your request, later ones in the inbox. If files of that person go to a private channel, all of them arrive there.';
const checklistFilesText = 'Files arrive in the thread of your request until you have ticked off the whole checklist.';

export interface ShownRequest extends CardState<FileRequest> {
  /** The request that repeats this one. */
  followUp?: FileRequest;
  /** The URL of the shown request's card, if the reader can open it. */
  cardUrl?: string;
  /** Whether the shown request is the reader's own. */
  isOwn: boolean;
}

/** What a request's card shows, with the points to tick off. */
export function shownRequestView(kinds: ShownKinds, { followUp, cardUrl, isOwn, ...state }: ShownRequest): ModalView {
  const { transfer } = state;
  const hasChecklist = transfer.checklist !== undefined && transfer.endedAt !== undefined;
  const [, ...checklist] = hasChecklist ? checklistMessage(transfer, followUp).blocks : [];
  const cardLink = cardUrl === undefined ? [] : [button('Go to message', 'link.card', { url: cardUrl })];
  const buttons = [...cardLink, ...(isOwn ? repeatRequestButtons(transfer) : [])];
  return modal('Request', [
    ...withoutButtons(cardOf(kinds, state)).blocks,
    ...checklist,
    ...(buttons.length === 0 ? [] : [actions(...buttons)]),
  ]);
}

/** Shown while file requests are off. Admins can turn them on from here. */
export function switchedOffView(isAdmin: boolean, connectedBy: string): ModalView {
  return modal(title, [
    section('With a file request, contacts get a link to a page where they can upload files for you.'),
    ...requestsOffBlocks(isAdmin, connectedBy),
  ]);
}
