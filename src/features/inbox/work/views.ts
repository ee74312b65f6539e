import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { actions, type Blocks, button, header, line, list, moment, note, type Piece } from '../../../slack/blocks.ts';
import { codec } from '../../../slack/metadata.ts';
import { modal } from '../../../slack/views.ts';
import { andMore } from '../../../slack/words.ts';
import { itemIdOf } from '../../common/ids.ts';
import type { InboxItem, WorkNotice } from '../../common/services.ts';
import { type ShownPage, shownPage } from '../items/search.ts';
import { namesOf, senderOf, titleOf } from '../items/views.ts';
import { areAllFilesInfected } from './checks.ts';
import type { TakenItems } from './operations.ts';

/** The item, the holder that the form shows, and the page of the inbox below the form. */
export const takeOverMetadata = codec(
  'inbox take-over form',
  z.object({ item: z.string(), holder: z.string(), below: shownPage.optional() }),
);

/** Who takes care of one item, with its buttons. Nothing if Take and Done are off for the item. */
export function workBlocks(item: InboxItem): Blocks {
  const state = statePieces(item);
  return [...(state.length === 0 ? [] : [line(...state)]), ...workButtons(item)];
}

/** Who has taken the item or marked it as done, and when. Empty if it is open. */
export function statePieces({ work: { taken, done } = {} }: InboxItem): Piece[] {
  if (done !== undefined) return ['✅ Done by ', { user: done.person }, ', ', moment(done.at)];
  return taken === undefined ? [] : ['Taken by ', { user: taken.person }, ' since ', moment(taken.at)];
}

/** The item's state for the text of a notification, which can't mention people. */
export function stateText({ work: { taken, done } = {} }: InboxItem): string {
  if (done !== undefined) return ' (done)';
  return taken === undefined ? '' : ' (taken)';
}

/** @param reader set if only this person sees the buttons: someone who has the item can't take it over */
export function workButtons(item: InboxItem, reader?: string): Blocks {
  const { work } = item;
  if (work === undefined) return [];
  const workButton = (label: string, action: string, style?: 'primary') =>
    button(label, action, {
      value: itemIdOf(item.url),
      accessibilityLabel: `${label} ${titleOf(item)}`,
      style,
    });
  if (work.done !== undefined) return [actions(workButton('Reopen', 'inbox.reopen'))];
  const take =
    work.taken === undefined ? workButton('Take', 'inbox.take') : workButton('Take over…', 'inbox.take-over');
  const isTakeable =
    !item.isGone && !areAllFilesInfected(item) && (reader === undefined || work.taken?.person !== reader);
  return [actions(...(isTakeable ? [take] : []), workButton('Done', 'inbox.done'))];
}

/** Asks before an item is taken from its holder. If it can't be taken over, shows who has it. */
export function takeOverView(item: InboxItem, person: string, below: ShownPage | undefined): ModalView {
  const { taken, done } = item.work ?? {};
  const hasOtherHolder = taken !== undefined && taken.person !== person && done === undefined;
  if (!hasOtherHolder) return workResultView(item, person);
  const metadata = takeOverMetadata.write({ item: itemIdOf(item.url), holder: taken.person, below });
  return modal(
    'Take over?',
    [
      line({ bold: titleOf(item) }, `\n${namesOf(item)}`),
      line({ user: taken.person }, ' has had it since ', moment(taken.at), '.'),
      note("I'll tell them in a direct message that you took it over."),
    ],
    { id: 'inbox.take-over', submit: 'Take over', close: 'Cancel', metadata },
  );
}

/** The result of a form or click: who has the item now. */
export const workResultView = (item: InboxItem, person: string): ModalView =>
  modal('Take over', [line({ bold: titleOf(item) }), line(...resultPieces(item, person))]);

export function resultPieces(item: InboxItem, person: string): Piece[] {
  const holder = (item.work?.done ?? item.work?.taken)?.person;
  if (holder === undefined || holder === person) return [resultText(item, person)];
  return [`${titleOf(item)}: `, ...statePieces(item)];
}

/** Like `resultPieces`, for the text of a notification. */
export function resultText(item: InboxItem, person: string): string {
  const { taken, done } = item.work ?? {};
  const title = titleOf(item);
  if (done !== undefined) return done.person === person ? `You marked ${title} as done.` : `${title}: done.`;
  if (taken === undefined) return `${title}: open again.`;
  return taken.person === person ? `You have taken ${title}.` : `${title}: someone else has it.`;
}

/** Tells a person what someone else did with an item that they had taken. */
export function workChangedMessage(item: InboxItem, by: string, what: WorkNotice): { text: string; blocks: Blocks } {
  const predicate = changeTexts[what](titleOf(item));
  return {
    text: `Someone else ${predicate}`,
    blocks: [line({ user: by }, ` ${predicate}`), actions(button('Inbox', 'inbox.open'))],
  };
}

const changeTexts: Record<WorkNotice, (title: string) => string> = {
  taken: (title) => `took over ${title}, which you had taken.`,
  done: (title) => `marked ${title}, which you had taken, as done.`,
  reopened: (title) => `reopened ${title}. You have it again.`,
};

/** The items that the reader has taken, on Home. */
export function takenBlocks({ items, more }: TakenItems): Blocks {
  if (items.length === 0) return [];
  const rows = items.map((item): Piece[] => {
    const { taken } = item.work ?? {};
    const since: Piece[] = taken === undefined ? [] : [', since ', moment(taken.at)];
    const gone = item.isGone ? ' (no longer available)' : '';
    return [`${namesOf(item, 3)} from `, { bold: senderOf(item) }, gone, ...since];
  });
  return [
    header('Taken by you'),
    list([...rows, ...(more === 0 ? [] : [[andMore(more)]])]),
    actions(button('View what you took', 'inbox.open#mine', { value: 'mine' })),
  ];
}
