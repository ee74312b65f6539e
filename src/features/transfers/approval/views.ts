import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import { actions, type Blocks, button, header, line, moment, section, textField } from '../../../slack/blocks.ts';
import type { Interaction } from '../../../slack/interaction.ts';
import { codec } from '../../../slack/metadata.ts';
import { formWithNotice } from '../../../slack/rebuilt-form.ts';
import { modal } from '../../../slack/views.ts';
import type { ShownKinds } from '../shown-kind.ts';
import { filesOf, type Transfer } from '../transfer.ts';
import { decidedTitle, decisionBlocks, reviewButton, subjectPieces } from './card.ts';
import type { ApprovalNotice } from './checks.ts';
import { noApproverText } from './errors.ts';
import { rulesText } from './rules.ts';

export const approvalMetadata = codec('approval form', z.object({ id: z.string() }));

/** Everything that the sender confirmed. `content` is what the sender's review showed. */
export function approvalView(kinds: ShownKinds, transfer: Transfer, content: Blocks): ModalView {
  const { id, createdAt, approval } = transfer;
  const { rules = [], until = 0, note } = approval ?? {};
  return modal(
    'Review',
    [
      line(...subjectPieces(kinds, transfer), ', ', moment(createdAt)),
      line({ bold: 'Needs approval: ' }, rulesText(rules)),
      ...(note === undefined ? [] : [line({ bold: 'Note from the sender: ' }, note)]),
      ...content,
      ...(filesOf(transfer).length === 0
        ? []
        : [section(openFilesText, button('Open files', openFilesAction, { value: id }))]),
      line('Waits until ', moment(Math.floor(until / 1000))),
      actions(button('Decline…', 'approval.decline', { value: id, style: 'danger' })),
    ],
    { id: 'approval.review', submit: 'Approve', close: 'Close', metadata: approvalMetadata.write({ id }) },
  );
}

const openFilesAction = 'approval.open';
const openFilesText = 'Open files gives you your own copy of each file in our direct messages.';

/** The review after a click on Open files. */
export const openedFilesView = (view: NonNullable<Interaction['view']>): ModalView =>
  formWithNotice(view, openFilesAction, "I'm sending you the files in our direct messages.");

export function declineView(id: string): ModalView {
  return modal(
    'Decline',
    [
      textField('reason', 'Reason', {
        multiline: true,
        maxLength: bounds.declineReasonChars,
        hint: 'The sender sees this.',
      }),
    ],
    { id: 'approval.decline', submit: 'Decline', close: 'Back', metadata: approvalMetadata.write({ id }) },
  );
}

/** The view for an approver who was too late, or who has just decided. */
export function decidedView(kinds: ShownKinds, transfer: Transfer): ModalView {
  return modal('Review', [
    section(`${decidedTitle(transfer)}.`),
    line(...subjectPieces(kinds, transfer)),
    ...decisionBlocks(transfer),
  ]);
}

/** What the sender's review says about approval. */
export function noticeBlocks(notice: ApprovalNotice | undefined): Blocks {
  if (notice === undefined) return [];
  if (!notice.hasApprover) return [section(`⚠️ ${noApproverText(rulesText(notice.rules))}`)];
  return [
    line({ bold: 'Needs approval: ' }, `${rulesText(notice.rules)}. It's sent after another person approves it.`),
  ];
}

/** The label of the review's submit button; empty if no one could approve. `label`: without approval. */
export const submitLabel = (notice: ApprovalNotice | undefined, label: string): string =>
  notice === undefined ? label : notice.hasApprover ? 'Request approval' : '';

/** The field of the sender's review for a note, if there is someone to read it. */
export function noteBlocks(notice: ApprovalNotice | undefined, value: string | undefined): Blocks {
  if (notice?.hasApprover !== true) return [];
  const hint = "Only approvers see this. It isn't sent to recipients.";
  return [
    textField('note', 'Note to the approver', {
      value,
      multiline: true,
      optional: true,
      maxLength: bounds.approvalNoteChars,
      hint,
    }),
  ];
}

/** Transfers that wait for the reader's approval, on Home and in the status. */
export function waitingBlocks(kinds: ShownKinds, waiting: readonly Transfer[]): Blocks {
  if (waiting.length === 0) return [];
  return [
    header('Waiting for your approval'),
    ...waiting.flatMap((transfer): Blocks => {
      const rules = rulesText(transfer.approval?.rules ?? []);
      return [line(...subjectPieces(kinds, transfer), `: ${rules}`), actions(reviewButton(transfer.id))];
    }),
  ];
}
