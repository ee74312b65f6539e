import type { ModalView, Option } from '@slack/types';
import { actions, button, line, note, type Piece, section, textField, wholeList } from '../../../../slack/blocks.ts';
import { modal } from '../../../../slack/views.ts';
import { count, shownAddress, shownNumber } from '../../../../slack/words.ts';
import { recipientsField } from '../../../contacts/list/suggest.ts';
import type { Settings, TtlUnit } from '../../../settings/repository.ts';
import type { ApprovalNotice } from '../../approval/checks.ts';
import { noticeBlocks } from '../../approval/views.ts';
import { duplicateWarning } from '../../card.ts';
import type { EarlierAttempt } from '../../duplicates.ts';
import { expiryBlocks, expiryPieces } from '../../expiry.ts';

const title = 'Request files';

/** What was entered before, to go back to the form. */
export interface EnteredRequest {
  receivers: readonly Option[];
  message: string;
  timeToLive: number;
}

export function requestView(ttl: Settings['ttl'], entered?: EnteredRequest): ModalView {
  return modal(
    title,
    [
      section('Recipients get a link to a page where they can upload files for you.'),
      recipientsField('Request from', entered?.receivers),
      ...expiryBlocks(ttl, entered?.timeToLive ?? ttl.usual, { action: 'request.expiry' }),
      textField('message', 'Message', {
        value: entered?.message,
        multiline: true,
        placeholder: 'Please send me the signed contract.',
        hint: 'Included in the email.',
      }),
    ],
    { id: 'request.form', submit: 'Review', close: 'Cancel' },
  );
}

export interface RequestReview {
  id: string;
  receivers: readonly { email: string; number?: string | undefined }[];
  message: string;
  timeToLive: number;
  unit: TtlUnit;
  /** The request that this one could duplicate. */
  earlier?: EarlierAttempt | undefined;
  /** Set if another person has to approve it. */
  approval?: ApprovalNotice | undefined;
}

/** Shows who will be asked, by address and number, never by nickname alone. */
export function confirmView(review: RequestReview): ModalView {
  const { id, receivers, message, timeToLive, unit, earlier, approval } = review;
  const label = `Request from ${count(receivers.length, 'person', 'people')}`;
  const shown = receivers.map(({ email, number }): Piece[] => [
    { bold: shownAddress(email) },
    `, ${shownNumber(number)}`,
  ]);
  return modal(
    title,
    [
      ...(earlier === undefined ? [] : [line(...duplicateWarning('grant', earlier))]),
      line({ bold: `${count(receivers.length, 'person', 'people')} can upload files to your inbox:` }),
      ...wholeList(shown),
      line(...expiryPieces(new Date(), timeToLive, unit), '. Message:'),
      section(message),
      ...noticeBlocks(approval),
      note(
        "Requests can't be revoked. The first files from each person arrive in the thread of your request, later ones in the inbox.",
      ),
      actions(button('Back', 'request.back')),
    ],
    {
      id: 'request.confirm',
      submit: approval === undefined ? label : 'Request approval',
      close: 'Cancel',
      metadata: id,
    },
  );
}

/** Requests stay off until an admin has read what they do. */
export function switchedOffView(isAdmin: boolean): ModalView {
  const hint = isAdmin
    ? 'You can turn them on in /drop settings.'
    : 'A workspace admin can turn them on in /drop settings.';
  return modal(title, [section('File requests are off in this workspace.'), section(hint)]);
}
