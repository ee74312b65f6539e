import type { Button, ModalView } from '@slack/types';
import {
  actions,
  type Blocks,
  button,
  divider,
  line,
  moment,
  note,
  type Piece,
  section,
} from '../../../slack/blocks.ts';
import { codec } from '../../../slack/metadata.ts';
import { pager } from '../../../slack/pages.ts';
import { modal } from '../../../slack/views.ts';
import { andList, count } from '../../../slack/words.ts';
import { shownName } from '../../common/delivery/shown-file.ts';
import { itemIdOf } from '../../common/ids.ts';
import { noResultsText, searchBlocks } from '../../common/search/form.ts';
import type { Search } from '../../common/search/search.ts';
import type { InboxItem } from '../../common/services.ts';
import type { ExpiryUnit } from '../../settings/repository.ts';
import { filesOf } from '../items/entries.ts';
import { shownPage, type WorkFilter, workFilters } from '../items/search.ts';
import {
  downloadItemButtons,
  downloadPageButtons,
  fileBlocks,
  filesLeftOut,
  leftOutText,
  membersUnknownNotes,
  moreFiles,
  namedChannelOf,
  receiptButtons,
  searchedNotes,
  timesOf,
  titleOf,
} from '../items/views.ts';
import { pollFailureText } from '../poll/views.ts';
import { statePieces, workButtons } from '../work/views.ts';

export const inboxMetadata = codec('inbox list', shownPage);

/** The result of the last click. */
export type Notice = string | Piece[];

export const itemsOnPage = 8;
export const filesOnPage = 20;
const maxFilesShown = 3;

export interface InboxPage {
  items: readonly InboxItem[];
  /** The person who sees the page. */
  reader?: string;
  page: number;
  total: number;
  /** Whether only items with files that nobody has downloaded are shown. */
  isNew?: boolean;
  /** If set, only items in this state are shown. */
  work?: WorkFilter;
  /** Whether a channel has Take and Done, so that there are filters for them. */
  hasWork?: boolean;
  /** Whether the reader has taken an item that isn't done. */
  hasTaken?: boolean;
  search?: Search;
  /** How many of the newest items were searched, if not all of them were. */
  searched?: number;
  /** How many items the service has beyond Dropline's limit. */
  leftOut?: number;
  /** Whether Slack didn't say who is in some channels, so that their files aren't shown. */
  areUnknown?: boolean;
  unit: ExpiryUnit;
  /** The workspace's only inbox channel, which isn't named. */
  onlyChannel?: string;
  /** Whether the reader is an admin. */
  isAdmin?: boolean;
  /** Time of the last successful poll. `lastFailure`: why a poll has failed since then. */
  asOf: Date | undefined;
  lastFailure: string | undefined;
  notice?: Notice;
}

export function inboxView({
  items,
  reader,
  page,
  total,
  isNew,
  work,
  hasWork,
  hasTaken,
  search = {},
  searched,
  leftOut = 0,
  areUnknown,
  unit,
  onlyChannel,
  isAdmin,
  asOf,
  lastFailure,
  notice,
}: InboxPage): ModalView {
  const pages = Math.max(1, Math.ceil(total / itemsOnPage));
  const filter = work ?? (isNew ? 'new' : 'all');
  const emptyText = searched === undefined ? emptyTexts[filter] : 'No results.';
  const blocks: Blocks = [
    ...noticeBlocks(notice),
    ...membersUnknownNotes(areUnknown),
    actions(button('Refresh', 'inbox.refresh'), ...(items.length > 1 ? downloadPageButtons(items) : [])),
    actions(...filterButtons(filter, { hasWork, hasTaken })),
    ...searchBlocks(search, { placeholder: 'File or sender', hasDates: true }),
    // Before the first check, it's unknown whether the inbox is empty.
    ...(total === 0 && asOf !== undefined ? [section(noResultsText(search) ?? emptyText)] : []),
    ...items.flatMap((item) => [...itemBlocks(item, unit, { reader, onlyChannel, isAdmin }), divider()]),
    ...pager({ page, pages }, 'inbox.page'),
    ...updatedBlocks(total === 0 ? undefined : count(total, ...itemTexts[filter]), asOf, lastFailure),
    ...searchedNotes(searched),
    ...leftOutText(leftOut).map((text) => note(text)),
  ];
  const metadata = inboxMetadata.write({ page, ...(isNew && { isNew }), work, ...search });
  return modal('Inbox', blocks, { id: 'inbox.form', submit: 'Search', metadata });
}

type Filter = 'all' | 'new' | WorkFilter;

const filterLabels: Record<Filter, string> = {
  all: 'All items',
  new: 'Not downloaded',
  open: 'Open items',
  mine: 'My items',
  done: 'Done items',
};

/**
 * A button for each filter, always in the same order. The active filter has a check mark. “My items” is last, so that
 * no other button moves when it appears.
 */
function filterButtons(current: Filter, { hasWork, hasTaken }: Pick<InboxPage, 'hasWork' | 'hasTaken'>): Button[] {
  const filters: Filter[] = ['all', 'new', ...(hasWork ? workFilters : [])];
  return filters
    .filter((filter) => filter !== 'mine' || filter === current || hasTaken)
    .map((filter) =>
      button(`${filter === current ? '✓ ' : ''}${filterLabels[filter]}`, `inbox.filter#${filter}`, { value: filter }),
    );
}

const emptyTexts: Record<Filter, string> = {
  all: 'Your inbox is empty. It has the files of channels that you can open, and answers to your requests.',
  new: 'Every file has been downloaded.',
  open: 'Nothing is open: everything was taken or is done.',
  mine: 'You have no items to finish.',
  done: 'Nothing is done yet.',
};

const itemTexts: Record<Filter, [one: string, many: string]> = {
  all: ['item', 'items'],
  new: ['item not downloaded', 'items not downloaded'],
  open: ['open item', 'open items'],
  mine: ['item that you took', 'items that you took'],
  done: ['done item', 'done items'],
};

function itemBlocks(
  item: InboxItem,
  unit: ExpiryUnit,
  { reader, onlyChannel, isAdmin }: Pick<InboxPage, 'reader' | 'onlyChannel' | 'isAdmin'>,
): Blocks {
  const files = filesOf(item);
  const shownFiles = files.slice(0, maxFilesShown);
  const otherDownloads = item.downloads.filter(({ file }) => !shownFiles.includes(file));
  const state = statePieces(item);
  const names = [...new Set(otherDownloads.map(({ file }) => shownName(file)))];
  return [
    line(...titlePieces(item, unit, onlyChannel), ...(state.length === 0 ? [] : ['\n', ...state])),
    ...shownFiles.flatMap((name) => fileBlocks(item, name, isAdmin)),
    ...(names.length === 0 ? [] : [note(`Also downloaded: ${andList(names)}`)]),
    ...moreFiles(item, maxFilesShown, receiptButtons(item)),
    ...workButtons(item, reader),
  ];
}

function titlePieces(item: InboxItem, unit: ExpiryUnit, onlyChannel: string | undefined): Piece[] {
  const channel = namedChannelOf(item, onlyChannel);
  const place: Piece[] = channel === undefined ? [] : ['In ', { channel }, '. '];
  return [{ bold: titleOf(item) }, '\n', ...place, ...timesOf(item, unit)];
}

export interface FilesPage {
  item: InboxItem;
  page: number;
  unit: ExpiryUnit;
  onlyChannel?: string;
  /** Whether the reader is an admin. */
  isAdmin?: boolean;
  notice?: Notice;
}

/** All files of one item. */
export function filesView({ item, page, unit, onlyChannel, isAdmin, notice }: FilesPage): ModalView {
  const files = filesOf(item);
  const pages = Math.max(1, Math.ceil(files.length / filesOnPage));
  const shownFiles = files.slice(page * filesOnPage, (page + 1) * filesOnPage);
  const id = itemIdOf(item.url);
  const buttons = [...downloadItemButtons(item), ...receiptButtons(item)];
  const blocks: Blocks = [
    ...noticeBlocks(notice),
    line(...titlePieces(item, unit, onlyChannel)),
    ...(buttons.length === 0 ? [] : [actions(...buttons)]),
    ...shownFiles.flatMap((name) => fileBlocks(item, name, isAdmin)),
    ...(page === pages - 1 ? filesLeftOut(item) : []),
    ...pager({ page, pages }, 'inbox.files-page'),
  ];
  return modal('Files', blocks, { metadata: inboxMetadata.write({ page, item: id }) });
}

function noticeBlocks(notice: Notice | undefined): Blocks {
  if (notice === undefined) return [];
  return [typeof notice === 'string' ? section(notice) : line(...notice), divider()];
}

function updatedBlocks(totalText: string | undefined, asOf: Date | undefined, lastFailure: string | undefined): Blocks {
  const problem = lastFailure === undefined ? '' : ` The last check failed: ${pollFailureText(lastFailure)}.`;
  if (asOf === undefined)
    return [note(problem === '' ? 'Checking for files… If nothing appears, click Refresh.' : problem.trim())];
  const at: Piece[] = [totalText === undefined ? '' : `${totalText}, newest first. `, 'Updated ', moment(asOf), '.'];
  return [line(...at, problem === '' ? '' : `${problem} See /drop status.`)];
}
