import type { ModalView } from '@slack/types';
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
  textField,
} from '../../slack/blocks.ts';
import { cutTo, fitMiddle } from '../../slack/limits.ts';
import { carrier } from '../../slack/metadata.ts';
import { modal } from '../../slack/views.ts';
import { andList, count, expiresAfter, oneLine } from '../../slack/words.ts';
import type { TtlUnit } from '../settings/settings.ts';
import type { HistoryPage, ListedTransfer, PastTransfer } from './operations.ts';

/** The search whose pages are shown. */
export const historyMetadata = carrier('history form', z.object({ search: z.string().max(200) }));

export const pageSize = 8;
const mostSearched = 200;
const mostListed = 60;

export interface HistoryList extends HistoryPage {
  page: number;
  search: string;
}

export function historyView({ entries, total, liveDrops, isAdmin, page, search }: HistoryList): ModalView {
  const whose = isAdmin
    ? 'Everything that was sent from the account, newest first.'
    : 'What you have sent, newest first.';
  const active = liveDrops === undefined ? '' : ` ${count(liveDrops, 'download')} active now on the account.`;
  const turns = [
    ...(page > 0 ? [button('Newer', 'history.page#newer', { value: String(page - 1) })] : []),
    ...((page + 1) * pageSize < total ? [button('Older', 'history.page#older', { value: String(page + 1) })] : []),
  ];
  return modal(
    'History',
    [
      textField('search', 'Search', {
        value: search,
        placeholder: 'A file, an address, a word of the message',
        optional: true,
        most: mostSearched,
      }),
      note(`${whose}${active}`),
      ...(entries.length === 0 ? [section(nothing(search, page))] : entries.flatMap(entryBlocks)),
      ...(turns.length === 0 ? [] : [actions(...turns)]),
      ...(entries.length === 0 ? [] : [note(rangeOf(page, entries.length, total))]),
    ],
    {
      id: 'history.form',
      submit: 'Search',
      metadata: historyMetadata.write({ search: search.slice(0, mostSearched) }),
    },
  );
}

function nothing(search: string, page: number): string {
  if (page > 0) return 'Nothing more.';
  return search === '' ? 'Nothing has been sent yet.' : `Nothing that was sent mentions “${oneLine(search)}”.`;
}

function rangeOf(page: number, shown: number, total: number): string {
  const first = page * pageSize + 1;
  const last = first + shown - 1;
  return first === last ? `${first} of ${total}` : `${first} to ${last} of ${total}`;
}

function entryBlocks(drop: ListedTransfer): Blocks {
  const { id, person, createdAt } = drop;
  const says = `Details of ${titleOf(drop)}`;
  return [
    divider(),
    section(
      `${cutTo(titleOf(drop), 300)}\nto ${cutTo(receiversOf(drop), 300)}`,
      button('Details', 'history.detail', { value: id, says }),
    ),
    line('Sent ', ...whenOf(createdAt), ...byOf(person)),
  ];
}

/** An entry without files is a request. */
function titleOf({ files: { first, total } }: ListedTransfer): string {
  return total === 0 ? 'Request for files' : andList(first.map(nameOf), first.length, total);
}

const nameOf = (name: string) => cutTo(oneLine(name), 100) || '(no name)';

function receiversOf({ receivers: { first, total } }: ListedTransfer): string {
  return total === 0 ? 'nobody named' : andList(first.map(addressOf), first.length, total);
}

const addressOf = (text: string) => fitMiddle(oneLine(text), 100) || '(no address)';

function whenOf(createdAt: number | undefined): Piece[] {
  return createdAt === undefined ? ['at an unknown time'] : [moment(createdAt)];
}

/** The service knows only the account. Dropline adds the person, if it knows them. */
function byOf(person: string | undefined): Piece[] {
  return person === undefined ? [', sender not known here'] : [' by ', { user: person }];
}

export function transferView({ drop, unit }: { drop: PastTransfer; unit: TtlUnit }): ModalView {
  const { files, receivers, message = '', createdAt, person } = drop;
  const isRequest = files.length === 0;
  return modal(
    isRequest ? 'Request for files' : 'Dispatch',
    [
      line('Sent ', ...whenOf(createdAt), ...byOf(person)),
      line('Time to live: ', { bold: lifeOf(drop, unit) }),
      header(count(receivers.length, 'receiver')),
      ...listed(receivers, recipientPieces),
      ...(isRequest ? [] : [header(count(files.length, 'file')), ...listed(files, ({ name = '' }) => [nameOf(name)])]),
      header('Message'),
      section(message.trim() === '' ? 'None.' : message),
      note(
        isRequest
          ? 'What they send comes to the inbox. Access that was given cannot be taken back.'
          : 'The service reports no downloads, so nobody can tell who has fetched what. A dispatch cannot be recalled.',
      ),
    ],
    { close: 'Back' },
  );
}

/** Always by address: a nickname alone doesn't say where it went. */
function recipientPieces({ email, number, nick, name }: PastTransfer['receivers'][number]): Piece[] {
  const rest = [nick || name, number].filter((part) => part !== undefined && part !== '');
  const address = fitMiddle(oneLine(email ?? ''), 300) || '(no address)';
  return [{ bold: address }, rest.length === 0 ? '' : ` ${cutTo(oneLine(rest.join(', ')), 200)}`];
}

function listed<T>(all: readonly T[], pieces: (one: T) => Piece[]): Blocks {
  if (all.length === 0) return [section('None.')];
  const more = all.length - mostListed;
  return [list(all.slice(0, mostListed).map(pieces)), ...(more > 0 ? [note(`and ${more} more`)] : [])];
}

function lifeOf({ ttl }: PastTransfer, unit: TtlUnit): string {
  if (ttl === undefined || ttl.trim() === '') return 'not said by the service';
  const value = Number(ttl);
  return Number.isFinite(value) ? expiresAfter(value, unit) : cutTo(oneLine(ttl), 100);
}
