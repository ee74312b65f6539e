import type { ModalView } from '@slack/types';
import { line, note, type Piece, section, textField, wholeList } from '../../../../slack/blocks.ts';
import { modal } from '../../../../slack/views.ts';
import { count, expiresAfter, shownAddress, shownNumber } from '../../../../slack/words.ts';
import { recipientsField } from '../../../contacts/list/suggest.ts';
import type { Settings, TtlUnit } from '../../../settings/settings.ts';
import { duplicateWarning } from '../../card.ts';
import type { EarlierAttempt } from '../../duplicates.ts';

const title = 'Ask for files';

export function requestView(ttl: Settings['ttl']): ModalView {
  const counts = ttl.unit === 'own' ? "in the service's own units" : `in ${ttl.unit}`;
  const most = ttl.longest === undefined ? '' : ` At most ${ttl.longest}.`;
  return modal(
    title,
    [
      section('The people you choose get a page on which they can upload files for you, for a limited time.'),
      recipientsField('Who should send you files?'),
      textField('timeToLive', `How long can they upload? (${counts})`, {
        value: String(ttl.usual),
        hint: `A number from 0 up.${most}`,
        most: 10,
      }),
      textField('message', 'Message to them', {
        multiline: true,
        placeholder: 'Please send me the signed contract.',
        hint: 'The service sends it to them with the link.',
      }),
    ],
    { id: 'request.form', submit: 'Next', close: 'Cancel' },
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
}

/** Shows who will be asked, by address and number, never by nickname alone. */
export function confirmView({ id, receivers, message, timeToLive, unit, earlier }: RequestReview): ModalView {
  const shown = receivers.map(({ email, number }): Piece[] => [
    { bold: shownAddress(email) },
    `, ${shownNumber(number)}`,
  ]);
  return modal(
    title,
    [
      ...(earlier === undefined ? [] : [line(...duplicateWarning('grant', earlier))]),
      line({ bold: `${count(receivers.length, 'person', 'people')} will be able to upload files to your inbox:` }),
      ...wholeList(shown),
      line('For ', { bold: expiresAfter(timeToLive, unit) }, ', with this message:'),
      section(message),
      note('It cannot be taken back before it expires. Their files come to you, in the thread of your request.'),
    ],
    {
      id: 'request.confirm',
      submit: `Ask ${count(receivers.length, 'person', 'people')}`,
      close: 'Cancel',
      metadata: id,
    },
  );
}

/** Requests stay off until an admin has read what they do. */
export function switchedOffView(isAdmin: boolean): ModalView {
  const hint = isAdmin
    ? 'You can switch them on: type /drop settings.'
    : 'An admin of the workspace can switch them on in /drop settings.';
  return modal(title, [section('Requests for files are switched off in this workspace.'), section(hint)]);
}
