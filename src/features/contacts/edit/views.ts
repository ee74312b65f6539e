import type { ModalView } from '@slack/types';
import type { Contact } from '../../../exchange/index.ts';
import { actions, type Blocks, button, confirmation, line, note, section } from '../../../slack/blocks.ts';
import { modal } from '../../../slack/views.ts';
import { andList, count } from '../../../slack/words.ts';
import type { EditOutcome } from '../../common/services.ts';
import { type ListPosition, readPosition, writePosition } from '../list/position.ts';
import { contactText } from '../list/views.ts';

/** What a person can do about a failure. */
export interface Offers {
  /** The edit whose form can be reopened. */
  reopen?: string;
  /** The edit that was refused, if this person is an admin who can turn on the add-only setting. */
  onlyAdds?: string;
}

export function outcomeText(outcome: EditOutcome): string {
  if (outcome.state === 'failed') {
    // If the outcome is unknown, don't say that nothing was changed.
    return outcome.code === 'unknown' ? `⚠️ ${outcome.message}` : `⚠️ Nothing was changed. ${outcome.message}`;
  }
  const { added, updated, removed, restored } = outcome;
  const result = doneText([
    [added, 'added'],
    [updated, 'changed'],
    [removed, 'removed'],
  ]);
  return restored.length === 0 ? result : `${result} Restored on the service: ${andList(restored, 10)}.`;
}

function doneText(changes: [contacts: number, done: string][]): string {
  const actualChanges = changes.filter(([contacts]) => contacts > 0);
  const [first] = actualChanges;
  if (first === undefined) return 'Nothing to change.';
  const isOne = actualChanges.length === 1 && first[0] === 1;
  if (isOne) return `Contact ${first[1]}.`;
  return `${andList(actualChanges.map(([contacts, done]) => `${count(contacts, 'contact')} ${done}`))}.`;
}

export function offerBlocks({ reopen, onlyAdds }: Offers): Blocks {
  const buttons = [
    ...(reopen === undefined ? [] : [button('Edit and retry', 'contacts.again', { value: reopen })]),
    ...(onlyAdds === undefined
      ? []
      : [button('Add-only service…', 'contacts.only-adds', { value: onlyAdds, confirm: onlyAddsConfirm })]),
  ];
  return buttons.length === 0 ? [] : [actions(...buttons)];
}

const onlyAddsConfirm = confirmation(
  'Is this an add-only service?',
  'Turn this on only if the operator of the service says so. Contacts can then be added here, but not changed or removed. If the service replaces its list instead, the other contacts disappear until Dropline restores them.',
  'Turn on',
  'Cancel',
);

export function outcomeView(outcome: EditOutcome, offers: Offers, position: string): ModalView {
  return modal('Contacts', [line(outcomeText(outcome)), ...offerBlocks(offers)], outcomeOptions(position));
}

export const savingView = (position: string): ModalView =>
  modal('Contacts', [line('Saving…'), note("You can close this. I'll message you.")], outcomeOptions(position));

const outcomeOptions = (position: string) => ({
  id: readPosition(position).form?.route ?? 'contacts.outcome',
  close: 'Back',
  metadata: position,
  notifyOnClose: true,
});

export function removeView(contact: Contact, position: ListPosition): ModalView {
  return modal(
    'Remove contact',
    [
      section(contactText(contact)),
      line("This removes the contact from the service for everyone. Files already sent aren't affected."),
    ],
    { id: 'contacts.remove', submit: 'Remove', close: 'Cancel', metadata: writePosition(position) },
  );
}
