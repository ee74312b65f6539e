import type { Button } from '@slack/types';
import { z } from 'zod';
import {
  actions,
  type Blocks,
  button,
  confirmation,
  dateAndTime,
  line,
  moment,
  note,
  type Piece,
  section,
} from '../../../slack/blocks.ts';
import { limits, truncateText } from '../../../slack/limits.ts';
import { codec } from '../../../slack/metadata.ts';
import { andList, count, oneLine } from '../../../slack/words.ts';
import { shownName } from '../../common/delivery/shown-file.ts';
import { fileIdOf, itemIdOf } from '../../common/ids.ts';
import type { InboxItem } from '../../common/services.ts';
import { expiryOf } from '../../settings/expiry.ts';
import type { ExpiryUnit } from '../../settings/repository.ts';
import { isChannel } from '../../settings/table/phrases.ts';
import { filesOf, isDownloadable } from './entries.ts';
import { nameTooLongText } from './errors.ts';

/** The value of a Download button. Its ids are looked up in the workspace of the person who clicks. */
export const fileValue = codec(
  'inbox file button',
  z.object({ item: z.string(), file: z.string(), again: z.literal(true).optional() }),
  limits.buttonValue,
);

/** The value of a button that downloads all files: the ids of the items whose files are shown. */
export const allValue = codec(
  'inbox all button',
  z.object({ items: z.array(z.string().max(64)).max(50) }),
  limits.buttonValue,
);

/** A button that downloads all files of the items on a page of the inbox, if there are several. */
export const downloadPageButtons = (items: readonly InboxItem[]): Button[] =>
  downloadAllButtons(items, 'Download all on this page');

/** A button that downloads all files of one item, if there are several. */
export function downloadItemButtons(item: InboxItem): Button[] {
  const label = `Download ${countShown(item)}`;
  return downloadAllButtons([item], label, `${label} from ${senderOf(item)}`);
}

function downloadAllButtons(items: readonly InboxItem[], label: string, accessibilityLabel = label): Button[] {
  const present = items.filter(({ isGone }) => !isGone);
  if (present.flatMap(filesOf).length < 2) return [];
  const value = allValue.write({ items: present.map(({ url }) => itemIdOf(url)) });
  return [button(label, 'inbox.all', { value, accessibilityLabel })];
}

/** “all 3 files”, or “3 files” if the item has more than Dropline shows. */
const countShown = (item: InboxItem): string =>
  `${item.filesLeftOut === undefined ? 'all ' : ''}${count(filesOf(item).length, 'file')}`;

const hidden = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
export const senderOf = ({ sender = '' }: InboxItem): string =>
  truncateText(oneLine(sender.slice(0, 2_000).replace(hidden, '')), 254) || 'an unknown sender';

export const countFiles = (item: InboxItem): number => filesOf(item).length + (item.filesLeftOut ?? 0);

export function titleOf(item: InboxItem): string {
  return `${count(countFiles(item), 'file')} from ${senderOf(item)}`;
}

export function namesOf(item: InboxItem, maxNames = 5): string {
  return andList(filesOf(item).slice(0, maxNames).map(shownName), maxNames, countFiles(item));
}

/** Shown wherever items are counted. */
export const leftOutText = (items: number): string[] =>
  items === 0 ? [] : [`The service has ${count(items, 'more item')} than Dropline shows.`];

/** Says that items are left out because Slack didn't say who sees them. */
export const membersUnknownNotes = (areUnknown: boolean | undefined): Blocks =>
  areUnknown === true ? [note(membersUnknownText)] : [];

const membersUnknownText =
  "⚠️ Slack didn't say who is in some channels, so their files aren't shown. Try again in a minute.";

/** @param searched how many of the newest items were searched; undefined if all of them were */
export const searchedNotes = (searched: number | undefined): Blocks =>
  searched === undefined ? [] : [note(`Only the newest ${count(searched, 'item')} were searched.`)];

/** Shown below the names of an item's files. */
export function filesLeftOut({ files, filesLeftOut = 0 }: InboxItem): Blocks {
  if (filesLeftOut === 0) return [];
  if (files.length === 0) return [note(fileListTooLarge)];
  return [note(`and ${count(filesLeftOut, 'more file')} that Dropline doesn't show`)];
}

const fileListTooLarge =
  'The file list is too large to show, so nothing can be downloaded here. Ask the sender to send fewer files at a time.';

/** The channel of an item, unless it is the workspace's only inbox channel. */
export const namedChannelOf = ({ belongsTo }: InboxItem, onlyChannel: string | undefined): string | undefined =>
  belongsTo.find((owner) => isChannel(owner) && owner !== onlyChannel);

/** When the item was sent, and when it expires. Says if it is gone. */
export function timesOf(item: InboxItem, unit: ExpiryUnit): Piece[] {
  const { createdAt, expiresAfter, isGone } = item;
  const sent: Piece[] = createdAt === undefined ? [] : ['Sent ', moment(createdAt, { withAge: true }), '. '];
  if (isGone) return [...sent, 'No longer available: expired or removed.'];
  const end = expiryOf(createdAt, expiresAfter, unit);
  return end === undefined ? sent : [...sent, 'Expires ', moment(end), '.'];
}

/** A file with its Download button, and the people who downloaded it. `isAdmin`: the reader is an admin. */
export function fileBlocks(item: InboxItem, name: string, isAdmin = false): Blocks {
  const displayName = shownName(name);
  if (!isDownloadable(name)) return [section(displayName), note(nameTooLongText)];
  const value = fileValue.write({ item: itemIdOf(item.url), file: fileIdOf(name) });
  const isInfected = scanOf(item, name, 'infected') !== undefined;
  const download = isInfected
    ? button('Download anyway…', 'inbox.download', {
        value,
        style: 'danger',
        accessibilityLabel: `Download anyway… ${displayName}`,
        confirm: confirmInfected,
      })
    : button('Download', 'inbox.download', { value, accessibilityLabel: `Download ${displayName}` });
  const downloaders = downloaderPieces(item, name);
  return [
    section(`${iconOf(name)} ${displayName}`, item.isGone ? undefined : download),
    ...scanBlocks(item, name, isAdmin && !item.isGone ? value : undefined),
    ...(downloaders.length === 0 ? [] : [line('Downloaded by ', ...downloaders)]),
  ];
}

const scanOf = ({ scans = [] }: InboxItem, name: string, state: 'infected' | 'not-scanned') =>
  scans.find((scan) => scan.file === name && scan.state === state)?.detail;

/** @param value of the button with which an admin removes the label “Malware found” */
function scanBlocks(item: InboxItem, name: string, value: string | undefined): Blocks {
  const signature = scanOf(item, name, 'infected');
  if (signature !== undefined) {
    const text = `🛑 Malware found: ${signature}. Only admins can download it.`;
    if (value === undefined) return [note(text)];
    const accessibilityLabel = `Not malware… ${shownName(name)}`;
    return [section(text, button('Not malware…', 'inbox.clean', { value, accessibilityLabel, confirm: confirmClean }))];
  }
  const reason = scanOf(item, name, 'not-scanned');
  return reason === undefined ? [] : [note(`⚠️ Downloaded without a malware scan. ${reason}`)];
}

const confirmInfected = confirmation(
  'Download an infected file?',
  'Malware was found in this file. Only admins can download it, with a link.',
  'Get link',
);

const confirmClean = confirmation(
  'Remove the malware mark?',
  'Everyone who can download files can then download it. It is scanned again when someone does.',
  'Remove mark',
);

const icons: [RegExp, string][] = [
  [/\.(png|jpe?g|gif|webp|svg|heic|tiff?)$/i, '🖼️'],
  [/\.(mp4|mov|avi|mkv|webm)$/i, '🎬'],
  [/\.(mp3|wav|flac|ogg|m4a)$/i, '🎵'],
  [/\.(zip|7z|rar|tar|gz|tgz)$/i, '🗜️'],
  [/\.(csv|xlsx?|ods)$/i, '📊'],
];

/** An icon for the type of file, by its extension. */
const iconOf = (name: string): string => icons.find(([pattern]) => pattern.test(name))?.[1] ?? '📄';

const maxDownloaders = 5;

function downloaderPieces({ downloads }: InboxItem, name: string): Piece[] {
  const fileDownloads = downloads.filter(({ file }) => file === name);
  const shownPieces = fileDownloads.slice(-maxDownloaders).flatMap(({ person, at }, index): Piece[] => {
    const pieces: Piece[] = [{ user: person }, ' on ', dateAndTime(Math.floor(at / 1000))];
    return index === 0 ? pieces : [', ', ...pieces];
  });
  const omitted = fileDownloads.length - maxDownloaders;
  return omitted > 0 ? [...shownPieces, ` and ${count(omitted, 'other')} earlier`] : shownPieces;
}

/** The button for a receipt of an item's downloads, if there are any. */
export function receiptButtons(item: InboxItem): Button[] {
  if (item.downloads.length === 0) return [];
  const accessibilityLabel = `Receipt of the files from ${senderOf(item)}`;
  return [button('Receipt', 'receipt.downloads', { value: itemIdOf(item.url), accessibilityLabel })];
}

/** Buttons that download all files of an item and, if it has more than are shown, that open all of them; and others. */
export function moreFiles(item: InboxItem, shownCount: number, others: readonly Button[] = []): Blocks {
  const files = filesOf(item).length;
  const label = `Show ${countShown(item)}`;
  const options = { value: itemIdOf(item.url), accessibilityLabel: `${label} from ${senderOf(item)}` };
  const buttons = [
    ...downloadItemButtons(item),
    ...(files > shownCount ? [button(label, 'inbox.files', options)] : []),
    ...others,
  ];
  return [...(buttons.length === 0 ? [] : [actions(...buttons)]), ...filesLeftOut(item)];
}
