import { actions, button, line, list, moment, type Piece } from '../../../slack/blocks.ts';
import { andList, count, shownAddress } from '../../../slack/words.ts';
import type { InboxItem, Reminder } from '../../common/services.ts';
import { expiryOf } from '../../settings/expiry.ts';
import type { TtlUnit } from '../../settings/repository.ts';
import { askAgainButton } from '../../transfers/kinds/request/card.ts';
import type { Message } from '../announce/posting.ts';
import { namesOf, titleOf } from '../items/views.ts';

const maxItems = 10;

/** Names items that nobody has downloaded. `isRequester`: for the person who asked for them. */
export function itemsReminder(items: readonly InboxItem[], unit: TtlUnit, isRequester: boolean): Message {
  const title = isRequester ? 'No one has downloaded the files you requested' : 'Not downloaded yet';
  const shown = items.slice(0, maxItems);
  const more = items.length - shown.length;
  const texts = shown.map((item) => `${titleOf(item)}: ${namesOf(item)}`);
  return {
    text: [`${title}. ${texts.join('; ')}.`, ...(more > 0 ? [moreText(more)] : []), 'Expires soon.'].join(' '),
    blocks: [
      line({ bold: title }),
      list([...shown.map((item) => itemPieces(item, unit)), ...(more > 0 ? [[moreText(more)]] : [])]),
      ...(isRequester ? [actions(button('Inbox', 'inbox.open'))] : []),
    ],
  };
}

const moreText = (items: number) => `and ${count(items, 'more item')} in the inbox.`;

function itemPieces(item: InboxItem, unit: TtlUnit): Piece[] {
  const end = expiryOf(item.createdAt, item.ttl, unit);
  return [
    { bold: titleOf(item) },
    `: ${namesOf(item)}. `,
    ...(end === undefined ? [] : (['Expires ', moment(end), '.'] satisfies Piece[])),
  ];
}

/** Names a request without an upload. */
export function requestReminder({ id, emails, expiresAt }: Extract<Reminder, { about: 'request' }>): Message {
  const names = andList(emails.map(shownAddress));
  const title = `No uploads yet from ${names}`;
  return {
    text: `${title}. Your request expires soon.`,
    blocks: [
      line({ bold: title }),
      line('Your request expires ', moment(expiresAt), '.'),
      actions(askAgainButton(id, names)),
    ],
  };
}
