import { randomUUID } from 'node:crypto';
import type { Interaction } from '../../../slack/interaction.ts';
import { cutTo } from '../../../slack/limits.ts';
import type { FormAnswer, FormRoute } from '../../../slack/routes.ts';
import { andList, count, oneLine } from '../../../slack/words.ts';
import type { UiServices } from '../../common/ui-services.ts';
import { type ListPosition, writePosition } from '../list/position.ts';
import { changeContacts } from '../operations.ts';
import type { Change } from './diff.ts';
import type { TypedContact } from './form.ts';
import { showIfEnded, waitFor } from './notify.ts';
import { savingView } from './views.ts';

export interface Saving {
  position: ListPosition;
  /** The contents of the form, to continue from if the edit fails. */
  typed?: TypedContact;
}

/** A form that shows the outcome in its place, even if the edit ends before Slack shows “Saving”. */
export function savingForm({ slack, store }: UiServices, submit: FormRoute['submit']): FormRoute {
  return {
    submit,
    async after({ actor: { workspace, person }, whenReplaced }, edit) {
      await whenReplaced();
      await showIfEnded(slack, store, { workspace, person, id: edit });
    },
  };
}

/** Queues the form's change, and shows the outcome in place of the form. */
export async function save(
  services: UiServices,
  interaction: Interaction,
  change: Change,
  saving: Saving,
): Promise<FormAnswer> {
  const position = writePosition(backAt(saving.position));
  return { view: savingView(position), after: await begin(services, interaction, change, saving, position) };
}

/** The same for a button in a modal. */
export async function saveByClick(
  services: UiServices,
  interaction: Interaction,
  change: Change,
  saving: Saving,
): Promise<void> {
  const position = writePosition(backAt(saving.position));
  await interaction.open(savingView(position));
  await begin(services, interaction, change, saving, position);
}

/** The same without an open modal: the outcome comes in a message. */
export async function saveByCommand(
  services: UiServices,
  interaction: Interaction,
  change: Change,
  saving: Saving,
): Promise<void> {
  await begin(services, interaction, change, saving, writePosition(saving.position));
}

async function begin(
  services: UiServices,
  interaction: Interaction,
  change: Change,
  { typed }: Saving,
  position: string,
) {
  const { store } = services;
  const edit = randomUUID();
  const { id: view } = interaction.view ?? {};
  await waitFor(store, interaction.actor.workspace, edit, {
    place: position,
    about: aboutOf(change),
    ...(view === undefined ? {} : { view }),
    ...(typed === undefined ? {} : { typed }),
  });
  return changeContacts(services, interaction.actor, change, edit);
}

/** The person's position once the form is closed: in the list, or in the groups above it. */
function backAt({ fromList, query, page, groups }: ListPosition): ListPosition {
  return { fromList, query, page, ...(groups === undefined ? {} : { groups }) };
}

/** A change in a few words. */
function aboutOf(change: Change): string {
  const name = (text: string) => cutTo(oneLine(text), 100);
  switch (change.kind) {
    case 'add':
      return `Adding ${andList(change.contacts.map(({ email }) => name(email)))}`;
    case 'edit':
      return `Changing ${name(change.email)}`;
    case 'remove':
      return `Removing ${andList(change.emails.map(name))}`;
    case 'import':
      return `Importing ${count(change.contacts.length, 'contact')}`;
    case 'group':
      return `Group ${name(change.group)}`;
  }
}
