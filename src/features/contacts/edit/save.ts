import type { Interaction } from '../../../slack/interaction.ts';
import { truncateText } from '../../../slack/limits.ts';
import type { FormAnswer, FormRoute } from '../../../slack/routes.ts';
import { andList, count, oneLine } from '../../../slack/words.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import type { TypedContact } from '../list/fields.ts';
import { type ListPosition, writePosition } from '../list/position.ts';
import type { Change } from './diff.ts';
import { showOutcomeIfEnded } from './notify.ts';
import { changeContacts } from './operations.ts';
import { savingView } from './views.ts';

export interface SaveOptions {
  position: ListPosition;
  /** The contents of the form, to reopen it if the edit fails. */
  typed?: TypedContact;
  inSameTransaction?: Parameters<typeof changeContacts>[4];
}

/** A form whose modal shows the outcome of the edit, even if the edit ends before Slack shows “Saving”. */
export function savingForm({ slack, store }: ListenerServices, submit: FormRoute['submit']): FormRoute {
  return {
    submit,
    async after({ actor, whenReplaced }, edit) {
      await whenReplaced();
      await showOutcomeIfEnded(slack, store, { ...actor, id: edit });
    },
  };
}

/** Queues the change of a submitted form. The form's modal then shows the outcome. */
export async function save(
  services: ListenerServices,
  interaction: Interaction,
  change: Change,
  options: SaveOptions,
): Promise<FormAnswer> {
  return { view: savingView(returnPosition(options)), after: await queueEdit(services, interaction, change, options) };
}

/** Like `save`, for a button in a modal. */
export async function saveByClick(
  services: ListenerServices,
  interaction: Interaction,
  change: Change,
  options: SaveOptions,
): Promise<void> {
  await interaction.update(savingView(returnPosition(options)));
  await queueEdit(services, interaction, change, options);
}

/** Queues the change. The outcome comes in the modal, or without one in a direct message. */
export function queueEdit(
  services: ListenerServices,
  interaction: Interaction,
  change: Change,
  options: SaveOptions,
): Promise<string> {
  const { typed, inSameTransaction } = options;
  const origin = {
    view: interaction.view?.id,
    position: returnPosition(options),
    about: describeChange(change),
    typed,
  };
  return changeContacts(services, interaction.actor, change, origin, inSameTransaction);
}

/** Where the person returns to: the list of contacts, the groups on top of it, a contact's card, or another form. */
function returnPosition({ position: { fromList, query, page, groups, form, card } }: SaveOptions): string {
  return writePosition({ fromList, query, page, groups, form, card });
}

/** The change in a few words, for the direct message with the outcome. */
function describeChange(change: Change): string {
  const shortText = (text: string) => truncateText(oneLine(text), 100);
  switch (change.kind) {
    case 'add':
      return `Adding ${andList(change.contacts.map(({ email }) => shortText(email)))}`;
    case 'edit':
      return `Changing ${shortText(change.email)}`;
    case 'remove':
      return `Removing ${andList(change.emails.map(shortText))}`;
    case 'import':
      return `Importing ${count(change.contacts.length, 'contact')}`;
    case 'group':
      return `Group ${shortText(change.group)}`;
  }
}
