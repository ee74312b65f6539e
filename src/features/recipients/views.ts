import type { ModalView } from '@slack/types';
import { actions, type Blocks, button, list, note, type Piece, section } from '../../slack/blocks.ts';
import { fitMiddle, truncateText } from '../../slack/limits.ts';
import { modal } from '../../slack/views.ts';
import { andList, count, oneLine, shownDetails } from '../../slack/words.ts';
import type { ContactWithEmail } from '../contacts/list/ids.ts';
import { type PresetOptions, recipientsField, tooManyText } from '../contacts/list/suggest.ts';

const maxShown = 20;

export interface RecipientsForm extends PresetOptions {
  /** Everyone in the selection, with groups expanded. */
  people: readonly ContactWithEmail[];
}

export function recipientsView({ options, tooMany, gone, people }: RecipientsForm): ModalView {
  const hasChoice = options.length + gone.length > 0;
  const goneNames = andList(gone.map((name) => truncateText(oneLine(name), 100)));
  return modal(
    'Recipients',
    [
      recipientsField('Recipients of your next transfer', options, {
        hint: 'Only you can see this. Nothing is sent now.',
        optional: true,
        reportsEntries: true,
      }),
      ...(tooMany === 0 ? [] : [section(`⚠️ ${tooManyText(tooMany)}`)]),
      ...(gone.length === 0 ? [] : [section(`⚠️ No longer in your contacts: ${goneNames}.`)]),
      ...(people.length === 0 ? [] : [section(`Selected: ${count(people.length, 'person', 'people')}`)]),
      ...peopleBlocks(people),
      ...(hasChoice ? [actions(button('Clear', 'recipients.clear'))] : []),
    ],
    { id: 'recipients.form', submit: 'Save', close: 'Cancel' },
  );
}

/** Shows address and number, because a nickname doesn't identify a person. */
export function peopleBlocks(people: readonly ContactWithEmail[]): Blocks {
  if (people.length === 0) return [];
  const omitted = people.length - maxShown;
  return [
    list(people.slice(0, maxShown).map(personLine)),
    ...(omitted > 0 ? [note(`and ${count(omitted, 'more', 'more')}`)] : []),
  ];
}

const personLine = (person: ContactWithEmail): Piece[] => [
  { bold: fitMiddle(oneLine(person.email), 120) },
  shownDetails(person),
];

export const chosenText = (people: readonly ContactWithEmail[]) => `${count(people.length, 'recipient')} saved.`;

export function chosenView(people: readonly ContactWithEmail[]): ModalView {
  return modal('Recipients', [
    section(chosenText(people)),
    ...peopleBlocks(people),
    note("Nothing is sent yet. Type /drop send when you're ready."),
  ]);
}

export const clearedText = 'Recipients cleared.';
