import { actions, button, line, list, moment, type Piece } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/posting.ts';
import { andList, count, shownAddress } from '../../../slack/words.ts';
import type { InboxItem } from '../../common/services.ts';
import { pausedText } from '../../pause/fields.ts';
import type { Pauses } from '../../pause/repository.ts';
import { pauseNotices } from '../../pause/views.ts';
import { expiryOf } from '../../settings/expiry.ts';
import type { ExpiryUnit } from '../../settings/repository.ts';
import { askAgainButton } from '../../transfers/request/card.ts';
import { namesOf, titleOf } from '../items/views.ts';

const maxItems = 10;

/** A request without an upload, which expires soon. */
export interface RequestReminder {
  id: string;
  emails: readonly string[];
  expiresAt: number;
}

/**
 * The reminder of items that nobody has downloaded. Says if downloads are paused.
 *
 * @param isRequester whether it is for the person who asked for them
 */
export function itemsReminder(
  items: readonly InboxItem[],
  unit: ExpiryUnit,
  isRequester: boolean,
  pauses: Pauses = {},
): Message {
  const { downloads } = pauses;
  const title = isRequester ? 'No one has downloaded the files you requested' : 'Not downloaded yet';
  const shownItems = items.slice(0, maxItems);
  const omitted = items.length - shownItems.length;
  const texts = shownItems.map((item) => `${titleOf(item)}: ${namesOf(item)}`);
  return {
    text: [
      `${title}. ${texts.join('; ')}.`,
      ...(omitted > 0 ? [omittedText(omitted)] : []),
      'Expires soon.',
      ...(downloads === undefined ? [] : [pausedText('downloads', downloads)]),
    ].join(' '),
    blocks: [
      line({ bold: title }),
      list([...shownItems.map((item) => itemPieces(item, unit)), ...(omitted > 0 ? [[omittedText(omitted)]] : [])]),
      ...pauseNotices(pauses, ['downloads']),
      ...(isRequester ? [actions(button('Inbox', 'inbox.open'))] : []),
    ],
  };
}

const omittedText = (items: number) => `and ${count(items, 'more item')} in the inbox.`;

function itemPieces(item: InboxItem, unit: ExpiryUnit): Piece[] {
  const end = expiryOf(item.createdAt, item.expiresAfter, unit);
  return [
    { bold: titleOf(item) },
    `: ${namesOf(item)}. `,
    ...(end === undefined ? [] : (['Expires ', moment(end), '.'] satisfies Piece[])),
  ];
}

/** The reminder of a request without an upload. Its button stays during a pause, because it works again afterwards. */
export function requestReminder({ id, emails, expiresAt }: RequestReminder, pauses: Pauses = {}): Message {
  const { requests } = pauses;
  const names = andList(emails.map(shownAddress));
  const title = `No uploads yet from ${names}`;
  return {
    text: [
      `${title}. Your request expires soon.`,
      ...(requests === undefined ? [] : [askLaterText, pausedText('requests', requests)]),
    ].join(' '),
    blocks: [
      line({ bold: title }),
      line('Your request expires ', moment(expiresAt), '.'),
      ...(requests === undefined ? [] : [...pauseNotices(pauses, ['requests']), line(askLaterText)]),
      actions(askAgainButton(id, names)),
    ],
  };
}

const askLaterText = 'They can still upload until then. You can ask again when file requests are resumed.';
