import {
  actions,
  type Blocks,
  button,
  divider,
  header,
  line,
  list,
  note,
  type Piece,
  section,
} from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/posting.ts';
import { count } from '../../../slack/words.ts';
import type { InboxItem, NewPost } from '../../common/services.ts';
import type { ExpiryUnit } from '../../settings/repository.ts';
import { filesOf } from '../items/entries.ts';
import { countFiles, fileBlocks, leftOutText, moreFiles, namesOf, senderOf, timesOf, titleOf } from '../items/views.ts';
import { stateText, workBlocks } from '../work/views.ts';

export interface ItemPost {
  item: InboxItem;
  unit: ExpiryUnit;
  /** The people who asked the item's sender for files. */
  requesters: readonly string[];
}

const maxFiles = 10;

/** An item in a post: its files, when it expires, who downloaded what, and who takes care of it. */
export function itemAnnouncement({ item, unit, requesters }: ItemPost, filesShown = maxFiles): Message {
  const files = filesOf(item);
  const shownFiles = files.slice(0, filesShown);
  const times = timesOf(item, unit);
  const tooLarge = item.filesLeftOut === undefined ? '' : ' (the list is too large to show)';
  const names = files.length === 0 ? tooLarge : `: ${namesOf(item)}`;
  return {
    text: `${titleOf(item)}${names}${item.isGone ? ' (no longer available)' : ''}${stateText(item)}`,
    blocks: [
      line({ bold: titleOf(item) }, ...requesterPieces(requesters)),
      ...(times.length === 0 ? [] : [line(...times)]),
      ...shownFiles.flatMap((name) => fileBlocks(item, name)),
      ...moreFiles(item, filesShown),
      ...workBlocks(item),
    ],
  };
}

/** Slack's limit of blocks per message. Slack documents no limit of characters, but rejects about 13,000. */
const maxBlocks = 50;
const maxCharacters = 12_000;

/**
 * A post with one item or several. If it would be too large, because files were added or downloaded later, it shows
 * fewer files of each item, which then has a button for all files.
 */
export function itemsAnnouncement(posts: readonly ItemPost[], isDigest = false): Message {
  const title = isDigest ? [`Digest: ${count(posts.length, 'new item')}`] : [];
  const draw = (filesShown: number): Message => {
    const items = posts.map((post) => itemAnnouncement(post, filesShown));
    return {
      text: [...title, ...items.map(({ text }) => text)].join('\n'),
      blocks: [
        ...title.map((text) => header(text)),
        ...items.flatMap(({ blocks }, index) => (index === 0 ? blocks : [divider(), ...blocks])),
      ],
    };
  };
  const fits = ({ blocks }: Message) => blocks.length <= maxBlocks && charactersIn(blocks) <= maxCharacters;
  const fitting = [maxFiles, 5, 3, 2, 1].find((filesShown) => fits(draw(filesShown)));
  return draw(fitting ?? 0);
}

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + charactersIn(part), 0);
}

function requesterPieces(requesters: readonly string[]): Piece[] {
  if (requesters.length === 0) return [];
  const people = requesters
    .slice(0, 10)
    .flatMap((user, index): Piece[] => (index === 0 ? [{ user }] : [', ', { user }]));
  const others = requesters.length > 10 ? ` and ${count(requesters.length - 10, 'other')}` : '';
  return [requesters.length === 1 ? ', requested by ' : ', requested by several people: ', ...people, others];
}

/** Tells a requester that the contact has sent files, and which other people asked the same contact. */
export function sharedRequestAnnouncement(item: InboxItem, others: readonly string[]): Message {
  const text = `${senderOf(item)} sent files that you requested.`;
  const people = others.slice(0, 10).flatMap((user, index): Piece[] => (index === 0 ? [{ user }] : [', ', { user }]));
  return {
    text: text,
    blocks: [
      line(text),
      line('Also requested by ', ...people, ". The files could be for any of you, so they're in the inbox."),
      openInbox(),
    ],
  };
}

/** Tells a requester that the answer is in a private channel, which they aren't necessarily in. */
export function answerElsewhere(item: InboxItem, channel: string): Message {
  const text = `${senderOf(item)} sent files that you requested.`;
  return { text, blocks: [line(text), line("They're in ", { channel }, ', and only its members see them.')] };
}

/** Replaces a post after its items were moved. */
export function movedAnnouncement(): Message {
  const text = 'An admin moved these files to another channel.';
  return { text, blocks: [line(text)] };
}

const maxSenders = 10;

/** One message for many items, which aren't announced individually. */
export function combinedAnnouncement(
  { items, isRestored }: Pick<NewPost, 'items' | 'isRestored'>,
  leftOut = 0,
): Message {
  const bySender = new Map<string, number>();
  for (const item of items) bySender.set(senderOf(item), (bySender.get(senderOf(item)) ?? 0) + countFiles(item));
  const files = [...bySender.values()].reduce((sum, files) => sum + files, 0);
  const senders = [...bySender].slice(0, maxSenders);
  const others = bySender.size - senders.length;
  const notes = [...leftOutText(leftOut), ...(isRestored ? [restoredText] : [])];
  const title = `${count(items.length, 'new item')} in the inbox, with ${count(files, 'file')}`;
  return {
    text: [`${title}.`, ...notes].join(' '),
    blocks: [
      line({ bold: title }),
      list([
        ...senders.map(([sender, files]): Piece[] => [`${sender}: ${count(files, 'file')}`]),
        ...(others > 0 ? [[`and ${count(others, 'other sender')}`]] : []),
      ]),
      ...notes.map((text) => note(text)),
      openInbox(),
    ],
  };
}

const restoredText = 'They may have been posted before: Dropline was restored from a backup.';

/**
 * Summary of the items from before the workspace was connected.
 *
 * @param person who connected it; undefined in a direct message
 */
export function baselineAnnouncement(itemCount: number, leftOut = 0, person?: string): Message {
  const currentItems =
    itemCount === 0
      ? 'The inbox is empty.'
      : `${count(itemCount, 'item')} ${itemCount === 1 ? 'is' : 'are'} already in the inbox.`;
  const text = ['New files will be posted here.', currentItems, ...leftOutText(leftOut)].join(' ');
  const predicate = ` set this up. ${changeText}`;
  return {
    text: person === undefined ? text : `${text} An admin${predicate}`,
    blocks: [
      section(text),
      ...(person === undefined ? [] : [line({ user: person }, predicate)]),
      ...(itemCount === 0 ? [] : [openInbox()]),
    ],
  };
}

const changeText = 'Admins can change this in /drop settings.';

/** Tells a channel that new files will be posted there. */
export function channelChosenAnnouncement(person: string): Message {
  const predicate = ` set up Dropline to post new files in this channel. ${changeText}`;
  return { text: `An admin${predicate}`, blocks: [line({ user: person }, predicate)] };
}

const openInbox = (): Blocks[number] => actions(button('Inbox', 'inbox.open'));
