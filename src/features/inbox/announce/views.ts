import { actions, type Blocks, button, line, list, note, type Piece, section } from '../../../slack/blocks.ts';
import { count } from '../../../slack/words.ts';
import type { InboxItem } from '../../common/services.ts';
import type { TtlUnit } from '../../settings/settings.ts';
import {
  countFiles,
  fileBlocks,
  filesOf,
  leftOutText,
  moreFiles,
  namesOf,
  senderOf,
  shownName,
  timesOf,
  titleOf,
} from '../items/views.ts';
import type { Message } from './posting.ts';

export interface Posted {
  item: InboxItem;
  unit: TtlUnit;
  /** The people who asked its sender for files. */
  asked: readonly string[];
}

const mostFiles = 10;

/** An item's post: its files, when it expires, and who downloaded what. */
export function itemAnnouncement({ item, unit, asked }: Posted): Message {
  const files = filesOf(item);
  const shown = files.slice(0, mostFiles);
  const times = timesOf(item, unit);
  const names = files.length === 0 ? '' : `: ${namesOf(item)}`;
  return {
    text: `${titleOf(item)}${names}${item.isGone ? ' (not there any more)' : ''}`,
    blocks: [
      line({ bold: titleOf(item) }, ...askedBy(asked)),
      ...(times.length === 0 ? [] : [line(...times)]),
      ...shown.flatMap((name) => fileBlocks(item, name)),
      ...moreFiles(item, mostFiles),
    ],
  };
}

function askedBy(asked: readonly string[]): Piece[] {
  if (asked.length === 0) return [];
  const people = asked.slice(0, 10).flatMap((user, index): Piece[] => (index === 0 ? [{ user }] : [', ', { user }]));
  const others = asked.length > 10 ? ` and ${count(asked.length - 10, 'other')}` : '';
  return [asked.length === 1 ? ', in answer to ' : ', whom several people have asked: ', ...people, others];
}

/** For a requester, if other people asked the same contact too. */
export function severalAnnouncement(item: InboxItem, others: readonly string[]): Message {
  const sentence = `${senderOf(item)}, whom you asked for files, has sent some.`;
  const people = others.slice(0, 10).flatMap((user, index): Piece[] => (index === 0 ? [{ user }] : [', ', { user }]));
  return {
    text: sentence,
    blocks: [
      line(sentence),
      line('Asked too: ', ...people, '. Nobody can tell whom they are meant for, so they are in the inbox.'),
      openInbox(),
    ],
  };
}

const mostSenders = 10;

/** One message for too many items to post one by one. */
export function manyAnnouncement(items: readonly InboxItem[], leftOut = 0): Message {
  const bySender = new Map<string, number>();
  for (const item of items) bySender.set(senderOf(item), (bySender.get(senderOf(item)) ?? 0) + countFiles(item));
  const files = [...bySender.values()].reduce((sum, some) => sum + some, 0);
  const senders = [...bySender].slice(0, mostSenders);
  const others = bySender.size - senders.length;
  const rest = leftOutText(leftOut);
  const title = `${count(items.length, 'new item')} in the inbox, with ${count(files, 'file')}`;
  return {
    text: [`${title}.`, ...rest].join(' '),
    blocks: [
      line({ bold: title }),
      list([
        ...senders.map(([sender, some]): Piece[] => [`${sender}: ${count(some, 'file')}`]),
        ...(others > 0 ? [[`and ${count(others, 'other sender')}`]] : []),
      ]),
      ...rest.map((sentence) => note(sentence)),
      openInbox(),
    ],
  };
}

/** Summary of the items from before the workspace was connected. */
export function baselineAnnouncement(items: number, leftOut = 0): Message {
  const there =
    items === 0 ? 'The inbox is empty.' : `${count(items, 'item')} ${items === 1 ? 'is' : 'are'} in the inbox already.`;
  const sentence = ['Incoming files are announced here from now on.', there, ...leftOutText(leftOut)].join(' ');
  return { text: sentence, blocks: [section(sentence), ...(items === 0 ? [] : [openInbox()])] };
}

/** Tells a channel that new files will be posted there. */
export function chosenAnnouncement(person: string): Message {
  const rest = ' set up Dropline to post new files in this channel. Admins can change this in /drop settings.';
  return { text: `An admin${rest}`, blocks: [line({ user: person }, rest)] };
}

const openInbox = (): Blocks[number] => actions(button('Open inbox', 'inbox.open'));

/** The private answer to a click on Download. */
export function fetchingText(name: string, isInThread: boolean): string {
  const where = isInThread ? 'It will be put into the thread of its post.' : 'You will get it in a direct message.';
  return `Fetching “${shownName(name)}” … ${where}`;
}
