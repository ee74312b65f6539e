import type { Button, ModalView } from '@slack/types';
import { z } from 'zod';
import {
  actions,
  type Blocks,
  button,
  divider,
  header,
  line,
  list,
  moment,
  note,
  type Piece,
  section,
} from '../../slack/blocks.ts';
import { fitMiddle, truncateText } from '../../slack/limits.ts';
import { codec } from '../../slack/metadata.ts';
import { modal } from '../../slack/views.ts';
import { andList, andMore, count, durationText, oneLine, shownNumber } from '../../slack/words.ts';
import { noResultsText, searchBlocks } from '../common/search/form.ts';
import { type Search, searchFormat } from '../common/search/search.ts';
import { expiryOf } from '../settings/expiry.ts';
import type { ExpiryUnit } from '../settings/repository.ts';
import { endText } from '../transfers/cards/card.ts';
import type { Transfer } from '../transfers/transfer.ts';
import type { HistoryPage, ListedTransfer, PastTransfer } from './operations.ts';

/** The person's search, stored in the modal's metadata. */
export const historyMetadata = codec('history form', z.object(searchFormat));

export const pageSize = 8;
const maxListed = 60;

export interface HistoryList extends HistoryPage {
  page: number;
  search: Search;
  /** The button to change a transfer that wasn't sent, if the reader can. */
  editButton(unsent: Transfer): Button | undefined;
}

export function historyView(list: HistoryList): ModalView {
  const { entries, total, activeDownloads, seesAll, page, search } = list;
  const intro = seesAll ? 'Everything sent from this account, newest first.' : 'Your transfers, newest first.';
  const active = activeDownloads === undefined ? '' : ` ${count(activeDownloads, 'active link')}.`;
  const pageButtons = [
    ...(page > 0 ? [button('Newer', 'history.page#newer', { value: String(page - 1) })] : []),
    ...((page + 1) * pageSize < total ? [button('Older', 'history.page#older', { value: String(page + 1) })] : []),
  ];
  return modal(
    'History',
    [
      ...searchBlocks(search, {
        placeholder: 'File, email or word in the message',
        hasPerson: seesAll,
        hasDates: true,
      }),
      note(`${intro}${active}`),
      ...(entries.length === 0
        ? [section(emptyText(search, page))]
        : entries.flatMap((entry) => entryBlocks(entry, list.editButton))),
      ...(pageButtons.length === 0 ? [] : [actions(...pageButtons)]),
      ...(entries.length === 0 ? [] : [note(rangeOf(page, entries.length, total))]),
    ],
    {
      id: 'history.form',
      submit: 'Search',
      metadata: historyMetadata.write(search),
    },
  );
}

function emptyText(search: Search, page: number): string {
  return page > 0 ? 'No more results.' : (noResultsText(search) ?? 'Nothing sent yet.');
}

function rangeOf(page: number, shownCount: number, total: number): string {
  const first = page * pageSize + 1;
  const last = first + shownCount - 1;
  return first === last ? `${first} of ${total}` : `${first} to ${last} of ${total}`;
}

export function entryBlocks(transfer: ListedTransfer, editButton?: HistoryList['editButton']): Blocks {
  const { id, person, createdAt, unsent } = transfer;
  const accessibilityLabel = `Details of ${titleOf(transfer)}`;
  const accessory =
    unsent === undefined
      ? button('Details', 'history.detail', { value: id, accessibilityLabel })
      : editButton?.(unsent);
  const end = unsent === undefined ? 'Sent ' : `${endText(unsent)}, `;
  return [
    divider(),
    section(`${truncateText(titleOf(transfer), 300)}\n${truncateText(recipientsText(transfer), 300)}`, accessory),
    line(end, ...timePieces(createdAt), ...senderPieces(person)),
  ];
}

/** An entry without files is a request. */
function titleOf({ files: { first, total } }: ListedTransfer): string {
  return total === 0 ? 'File request' : andList(first.map(nameOf), first.length, total);
}

const nameOf = (name: string) => truncateText(oneLine(name), 100) || '(no name)';

function recipientsText({ recipients: { first, total } }: ListedTransfer): string {
  return total === 0 ? 'No recipients' : `to ${andList(first.map(addressOf), first.length, total)}`;
}

const addressOf = (text: string) => fitMiddle(oneLine(text), 100) || '(no address)';

function timePieces(createdAt: number | undefined): Piece[] {
  return createdAt === undefined ? ['at an unknown time'] : [moment(createdAt)];
}

/** The service records only the account, so the person comes from Dropline's own records. */
function senderPieces(person: string | undefined): Piece[] {
  return person === undefined ? [', unknown sender'] : [' by ', { user: person }];
}

export interface ShownTransfer {
  transfer: PastTransfer;
  unit: ExpiryUnit;
  /** The buttons that repeat the transfer, if the reader sent it. */
  repeatButtons?: readonly Button[];
  /** The id of Dropline's record. */
  record?: string | undefined;
}

export function transferView({ transfer, unit, repeatButtons = [], record }: ShownTransfer): ModalView {
  const { files, recipients, message = '', createdAt, person } = transfer;
  const isRequest = files.length === 0;
  const receipt = record === undefined ? [] : [button('Receipt', 'receipt.transfer', { value: record })];
  const buttons = [...repeatButtons, ...receipt];
  return modal(
    isRequest ? 'File request' : 'Transfer',
    [
      line('Sent ', ...timePieces(createdAt), ...senderPieces(person)),
      line(...expiryPieces(transfer, unit)),
      header(count(recipients.length, 'recipient')),
      ...listBlocks(recipients, recipientPieces),
      ...(isRequest
        ? []
        : [header(count(files.length, 'file')), ...listBlocks(files, ({ name = '' }) => [nameOf(name)])]),
      header('Message'),
      section(message.trim() === '' ? 'None.' : message),
      ...(buttons.length === 0 ? [] : [actions(...buttons)]),
      note(
        isRequest
          ? "Their files arrive in the inbox. Requests can't be revoked."
          : "Transfers can't be recalled. Downloads aren't tracked.",
      ),
    ],
    { close: 'Back' },
  );
}

/** Always shows the address: a nickname alone doesn't identify a recipient. */
function recipientPieces({ email, number, nick, name }: PastTransfer['recipients'][number]): Piece[] {
  const address = fitMiddle(oneLine(email ?? ''), 300) || '(no address)';
  const shownName = truncateText(oneLine(nick || name || ''), 100);
  return [
    { bold: address },
    shownName === '' ? '' : ` (${shownName})`,
    // The history doesn't always have the number of a contact.
    number === undefined || number === '' ? '' : ` · ${shownNumber(number)}`,
  ];
}

function listBlocks<T>(items: readonly T[], pieces: (item: T) => Piece[]): Blocks {
  if (items.length === 0) return [section('None.')];
  const omitted = items.length - maxListed;
  return [list(items.slice(0, maxListed).map(pieces)), ...(omitted > 0 ? [note(andMore(omitted))] : [])];
}

/** The expiry as a date. If the unit is unknown, the number that the service reports. */
function expiryPieces({ expiresAfter, createdAt }: PastTransfer, unit: ExpiryUnit): Piece[] {
  const end = expiryOf(createdAt, expiresAfter, unit);
  if (end !== undefined) return ['Expires ', moment(end)];
  if (expiresAfter === undefined || expiresAfter.trim() === '') return ['Expiry unknown'];
  const value = Number(expiresAfter);
  return [
    'Expires after ',
    { bold: Number.isFinite(value) ? durationText(value, unit) : truncateText(oneLine(expiresAfter), 100) },
  ];
}
