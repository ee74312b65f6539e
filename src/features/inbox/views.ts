import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { actions, type Blocks, button, divider, line, moment, note, type Piece, section } from '../../slack/blocks.ts';
import { codec } from '../../slack/metadata.ts';
import { pager } from '../../slack/pages.ts';
import { modal } from '../../slack/views.ts';
import { andList, count } from '../../slack/words.ts';
import { itemIdOf } from '../common/ids.ts';
import type { InboxItem } from '../common/services.ts';
import type { TtlUnit } from '../settings/repository.ts';
import {
  fileBlocks,
  filesLeftOut,
  filesOf,
  leftOutText,
  moreFiles,
  shownName,
  timesOf,
  titleOf,
} from './items/views.ts';
import { pollFailureText } from './poll/views.ts';

/** Identifies the page in the modal, so that it can be shown again: of the inbox, or of one item's files. */
export const inboxMetadata = codec(
  'inbox list',
  z.object({ page: z.number().int().min(0), item: z.string().optional(), isNew: z.boolean().optional() }),
);

export const itemsOnPage = 8;
export const filesOnPage = 20;
const filesOfItem = 3;

export interface InboxPage {
  items: readonly InboxItem[];
  page: number;
  total: number;
  /** Whether only items with files that nobody has downloaded are shown. */
  isNew?: boolean | undefined;
  /** How many more items the service has. */
  leftOut?: number | undefined;
  unit: TtlUnit;
  /** Time of the last successful poll. `lastFailure`: why a poll has failed since then. */
  asOf: Date | undefined;
  lastFailure: string | undefined;
  /** The result of the last click. */
  notice?: string | undefined;
}

export function inboxView({
  items,
  page,
  total,
  isNew,
  leftOut = 0,
  unit,
  asOf,
  lastFailure,
  notice,
}: InboxPage): ModalView {
  const pages = Math.max(1, Math.ceil(total / itemsOnPage));
  const blocks: Blocks = [
    ...noticeBlocks(notice),
    actions(
      button('Refresh', 'inbox.refresh'),
      isNew
        ? button('Show all', 'inbox.filter', { value: 'all' })
        : button('Not downloaded', 'inbox.filter', { value: 'new' }),
    ),
    ...(total === 0 ? [section(isNew ? 'Everything was downloaded.' : 'Your inbox is empty.')] : []),
    ...items.flatMap((item) => [...itemBlocks(item, unit), divider()]),
    ...pager({ page, pages }, 'inbox.page'),
    ...updatedBlocks(total, asOf, lastFailure),
    ...leftOutText(leftOut).map((text) => note(text)),
  ];
  return modal('Inbox', blocks, { metadata: inboxMetadata.write({ page, ...(isNew && { isNew }) }) });
}

function itemBlocks(item: InboxItem, unit: TtlUnit): Blocks {
  const files = filesOf(item);
  const shown = files.slice(0, filesOfItem);
  const otherDownloads = item.downloads.filter(({ file }) => !shown.includes(file));
  const names = [...new Set(otherDownloads.map(({ file }) => shownName(file)))];
  return [
    line({ bold: titleOf(item) }, '\n', ...timesOf(item, unit)),
    ...shown.flatMap((name) => fileBlocks(item, name)),
    ...(names.length === 0 ? [] : [note(`Also downloaded: ${andList(names)}`)]),
    ...moreFiles(item, filesOfItem),
  ];
}

export interface FilesPage {
  item: InboxItem;
  page: number;
  unit: TtlUnit;
  notice?: string | undefined;
}

/** All files of one item. */
export function filesView({ item, page, unit, notice }: FilesPage): ModalView {
  const files = filesOf(item);
  const pages = Math.max(1, Math.ceil(files.length / filesOnPage));
  const shown = files.slice(page * filesOnPage, (page + 1) * filesOnPage);
  const id = itemIdOf(item.url);
  const blocks: Blocks = [
    ...noticeBlocks(notice),
    line({ bold: titleOf(item) }, '\n', ...timesOf(item, unit)),
    ...shown.flatMap((name) => fileBlocks(item, name)),
    ...(page === pages - 1 ? filesLeftOut(item) : []),
    ...pager({ page, pages }, 'inbox.files-page'),
  ];
  return modal('Files', blocks, { metadata: inboxMetadata.write({ page, item: id }) });
}

const noticeBlocks = (notice: string | undefined): Blocks => (notice === undefined ? [] : [section(notice), divider()]);

function updatedBlocks(total: number, asOf: Date | undefined, lastFailure: string | undefined): Blocks {
  const problem = lastFailure === undefined ? '' : ` The last check failed: ${pollFailureText(lastFailure)}.`;
  if (asOf === undefined) return [note(problem === '' ? 'Checking for files…' : problem.trim())];
  const at: Piece[] = [`${count(total, 'item')}, newest first. Updated `, moment(asOf), '.'];
  return [line(...at, problem === '' ? '' : `${problem} See /drop status.`)];
}
