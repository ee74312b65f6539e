import type { ModalView, Option } from '@slack/types';
import { z } from 'zod';
import {
  actions,
  type Blocks,
  button,
  dateAndTime,
  divider,
  field,
  header,
  line,
  moment,
  note,
  option,
  type Piece,
  section,
  textField,
  wholeList,
} from '../../../slack/blocks.ts';
import { truncateText } from '../../../slack/limits.ts';
import { codec } from '../../../slack/metadata.ts';
import { modal } from '../../../slack/views.ts';
import { count, oneLine, shownAddress, shownDetails, sizeOf } from '../../../slack/words.ts';
import { recipientsField } from '../../contacts/list/suggest.ts';
import { changePieces } from '../../contacts/list/views.ts';
import type { Pauses } from '../../pause/repository.ts';
import { pausedReviewBlocks, pauseNotices } from '../../pause/views.ts';
import { type DeskChoice, fromDesk, fromField, missingBlocks } from '../../settings/desks/fields.ts';
import type { Expiry, ExpiryUnit } from '../../settings/repository.ts';
import { unstageButton } from '../../staging/views.ts';
import { noteBlocks, noticeBlocks, submitLabel } from '../approval/views.ts';
import { duplicateWarning, repeatNoticeBlocks } from '../cards/card.ts';
import { expiryBlocks, expiryPieces, plannedField, plannedLines } from '../expiry.ts';
import { type Send, sizeOfAll, type TransferRecipient } from '../transfer.ts';
import { sendKind } from './kind.ts';
import type { Review } from './prepare.ts';

/** Slack's limit for the options of a menu. */
export const maxOffered = 100;

/** Ids of a message's files, which the form offers in addition to the staged files. */
const messageFileIds = z.array(z.string().max(30)).max(maxOffered);
export const sendMetadata = codec('send form', z.object({ files: messageFileIds.default([]) }));
export const confirmMetadata = codec('send review', z.object({ review: z.string(), files: messageFileIds.optional() }));

export interface SendForm {
  recipients: Option[];
  /** The files to choose from. `ticked` has the ids of those that are selected at first. */
  offered: { id: string; name: string; size: number }[];
  ticked: string[];
  message: string;
  expiresAfter: number;
  expiryDate?: string;
  expiry: Expiry;
  /** Ids of a message's files. */
  extra: string[];
  /** What was left out of the form, and why. */
  problems: Problem[];
  /** The desk that it is sent from, if the person can choose one. */
  from?: DeskChoice | undefined;
  /** Recipients that were chosen before, and that aren't contacts of this desk. */
  missing?: string | undefined;
  pauses?: Pauses;
}

export interface Problem {
  text: string;
  /** The staged file that has the problem. */
  staged?: { id: string; name?: string } | undefined;
}

const maxProblems = 10;

export function sendView(form: SendForm): ModalView {
  const {
    recipients,
    offered,
    ticked,
    message,
    expiresAfter,
    expiryDate,
    expiry,
    extra,
    problems,
    pauses = {},
    from,
    missing,
  } = form;
  const tooMany = offered.length - maxOffered;
  const overflow =
    tooMany > 0
      ? [{ text: `This form shows ${maxOffered} files, ${tooMany} fewer than you have. Send these first.` }]
      : [];
  const options = offered.slice(0, maxOffered).map(({ id, name, size }) => option(`${name} (${sizeOf(size)})`, id));
  const initial = options.filter(({ value }) => ticked.includes(value ?? ''));
  const staged = field(
    'staged',
    'Choose from your files ready to send',
    {
      type: 'multi_static_select',
      options,
      ...(initial.length === 0 ? {} : { initial_options: initial }),
    } as Parameters<typeof field>[2],
    { optional: true, reportsEntries: true, hint: 'Choose at least one file here, or attach files below.' },
  );
  return modal(
    'Send files',
    [
      ...(from === undefined ? [] : [fromField(from)]),
      ...pauseNotices(pauses, ['sending']),
      ...[...overflow, ...problems].slice(0, maxProblems).map(problemBlock),
      recipientsField('To', recipients, {
        hint: "Contacts and groups. You'll review every address before sending.",
        reportsEntries: true,
      }),
      ...missingBlocks(missing),
      actions(button('New contact…', 'send.contact')),
      ...(options.length === 0 ? [] : [staged]),
      field(
        'files',
        options.length === 0 ? 'Files' : 'More files',
        { type: 'file_input', max_files: 10 } as Parameters<typeof field>[2],
        {
          // Slack adds “(optional)” to the label, which would be wrong if there are no other files to choose.
          optional: options.length > 0,
          hint: 'Up to 10 MB each. For larger files, send them to me in a direct message first.',
        },
      ),
      textField('message', 'Message', {
        value: message,
        multiline: true,
        optional: true,
        hint: "Included in the email. Your name isn't, so say who you are.",
        reportsEntries: true,
      }),
      ...expiryBlocks(expiry, expiry.expiryUnit === 'own' ? expiresAfter : (expiryDate ?? expiresAfter), {
        action: 'send.expiry',
        reportsEntries: true,
      }),
      // Slack asks before it closes a changed form, but doesn't say what is saved.
      note('You can choose a later time in the review. Your draft is saved if you leave, except for attached files.'),
    ],
    {
      id: 'send.form',
      submit: 'Review',
      close: 'Cancel',
      metadata: sendMetadata.write({ files: extra }),
      notifyOnClose: true,
    },
  );
}

function problemBlock({ text, staged }: Problem) {
  return section(`⚠️ ${text}`, staged === undefined ? undefined : unstageButton('send.unstage', staged.id, staged.name));
}

/** The form that a review can go back to, with the ids of a message's files that it offered. */
export interface ReviewedForm {
  files: string[];
  /** The note to the approver and the time, from an earlier review of the form. */
  note?: string;
  plannedFor?: number;
}

/** Shows everything that will be sent: recipients by address and number, files by the name that recipients see. */
export function reviewView(review: Review, unit: ExpiryUnit, form?: ReviewedForm): ModalView {
  const { recipients, hasAllChanges, files, message, expiresAfter, earlier, pauses = {} } = review;
  const filesText = `Send ${count(files.length, 'file')}`;
  const label = `${filesText} to ${recipients.length === 1 ? '1 person' : `${recipients.length} people`}`;
  const names = files.map(({ name, originalName, size }): Piece[] => [
    { bold: name },
    ` ${sizeOf(size)}`,
    name === originalName ? '' : ` (called “${truncateText(oneLine(originalName), 100)}” in Slack)`,
  ]);
  const sendLabel = fromDesk(review.desk, [label, filesText, 'Send'], label.length <= 24 ? label : `${filesText} now`);
  const submit = submitLabel(review.approval, sendLabel);
  // Otherwise there is no submit button, because a click would only be refused.
  const canSubmit = pauses.sending === undefined && submit !== '';
  const isForSender = review.reader !== 'approver';
  const blocks: Blocks = [
    ...noticeBlocks(review.approval),
    ...pausedReviewBlocks('sending', pauses.sending, { canResume: review.canResume, submit }),
    ...(earlier === undefined ? [] : [line(...duplicateWarning(sendKind.texts, earlier, review.reader))]),
    ...repeatNoticeBlocks(review.notices),
    ...(review.desk === undefined ? [] : [line('From ', { bold: review.desk })]),
    header('To'),
    ...wholeList(recipients.map(reviewedPieces)),
    ...(hasAllChanges ? [] : [note('Only the latest contact changes are shown.')]),
    header('Files'),
    ...wholeList(names),
    line(`Total ${sizeOf(sizeOfAll(files))} · `, ...expiryPieces(new Date(), expiresAfter, unit, review.expiryDate)),
    ...plannedLines(review),
    ...(message === '' ? [] : [line({ bold: 'Message: ' }, message)]),
    divider(),
    ...(canSubmit && isForSender ? [plannedField(form?.plannedFor), ...noteBlocks(review.approval, form?.note)] : []),
    note("Once sent, it can't be recalled. Downloads aren't tracked."),
    ...(form === undefined ? [] : [actions(button('Back', 'send.back'))]),
  ];
  return modal('Review', blocks, {
    id: 'send.confirm',
    submit: canSubmit ? submit : undefined,
    close: 'Cancel',
    metadata: confirmMetadata.write({ review: review.reviewId, files: form?.files }),
  });
}

function recipientPieces(recipient: TransferRecipient): Piece[] {
  return [{ bold: shownAddress(recipient.email) }, shownDetails(recipient)];
}

function reviewedPieces({ isFirstTime, changed, ...recipient }: Review['recipients'][number]): Piece[] {
  const pieces = recipientPieces(recipient);
  if (isFirstTime === true) pieces.push(' · ', { bold: 'New recipient' });
  if (isFirstTime === undefined) pieces.push(' · could be a new recipient');
  if (changed !== undefined) {
    const editor: Piece = changed.person === undefined ? 'another workspace' : { user: changed.person };
    pieces.push(' · ', { bold: 'changed' }, ' by ', editor, ' on ', dateAndTime(changed.at));
    if (changed.number !== undefined) pieces.push(': ', ...changePieces(changed.number));
  }
  return pieces;
}

/** Everything about a sent transfer. File names are those that recipients see. */
export function detailsView({ transfer, unit }: { transfer: Send; unit: ExpiryUnit }): ModalView {
  const { person, createdAt, committedAt, recipients, files, message, expiresAfter, expiryDate, progress } = transfer;
  const { uploadedNames = [] } = progress;
  const sentAt = committedAt ?? createdAt;
  const names = files.map(({ name, size }, index): Piece[] => [
    { bold: uploadedNames[index] ?? name },
    ` ${sizeOf(size)}`,
  ]);
  return modal('Transfer', [
    line('Sent ', moment(sentAt), ' by ', { user: person }),
    line(...expiryPieces(sentAt, expiresAfter, unit, expiryDate)),
    header('To'),
    ...wholeList(recipients.map(recipientPieces)),
    header('Files'),
    ...wholeList(names),
    line(`Total ${sizeOf(sizeOfAll(files))}`),
    header('Message'),
    section(message.trim() === '' ? 'None.' : message),
    note("Transfers can't be recalled. Downloads aren't tracked."),
  ]);
}
