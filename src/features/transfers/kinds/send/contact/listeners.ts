import { isDeepStrictEqual } from 'node:util';
import type { ModalView } from '@slack/types';
import { isDroplineError } from '../../../../../errors.ts';
import { shownIds, withShownIds } from '../../../../../slack/field-ids.ts';
import { filledIn } from '../../../../../slack/form.ts';
import { formWithout } from '../../../../../slack/form-again.ts';
import type { Interaction } from '../../../../../slack/interaction.ts';
import type { Routes } from '../../../../../slack/routes.ts';
import type { UiServices } from '../../../../common/ui-services.ts';
import { typedContact } from '../../../../contacts/edit/fields.ts';
import { addView } from '../../../../contacts/edit/form.ts';
import { contactsByAddress } from '../../../../contacts/list/ids.ts';
import { type ListPosition, readPosition } from '../../../../contacts/list/position.ts';
import { isOffer } from '../../../../contacts/list/suggest.ts';
import { contactsOf } from '../../../../contacts/operations.ts';
import { expectAllowed } from '../../../../settings/permission.ts';
import { changeDraft, readDraft } from '../../../../staging/repository.ts';
import { saveEntered } from '../form.ts';
import { sendMetadata } from '../views.ts';

/** Files of a message, which the form offers. */
export type MessageFiles = readonly { id: string; name: string | null }[];

export const messageFiles = (ids: readonly string[] = []): MessageFiles => ids.map((id) => ({ id, name: null }));

/** Builds the send form with the draft's recipients. */
export type BuildForm = (services: UiServices, interaction: Interaction, message: MessageFiles) => Promise<ModalView>;

/** Adds a contact from the send form. Back in the form, the contact is a recipient. */
export function newContactRoutes(
  services: UiServices,
  buildForm: BuildForm,
): Required<Pick<Routes, 'actions' | 'forms'>> {
  return {
    actions: {
      'send.contact': async (interaction) => {
        await openContactForm(services, interaction);
        await saveForm(services, interaction);
      },
    },
    forms: {
      'send.contact': {
        submit: async () => ({}),
        closed: (interaction, metadata) => selectAdded(services, interaction, readPosition(metadata), buildForm),
      },
    },
  };
}

/** Opens the form for the address that was typed, and removes the “Add …” option from the recipients below. */
export async function addTypedContact(services: UiServices, interaction: Interaction, address: string): Promise<void> {
  const { view } = interaction;
  if (view === undefined) return;
  try {
    await openContactForm(services, interaction, address);
  } catch (error) {
    if (!isDroplineError(error)) throw error;
    return interaction.showError(error.message);
  }
  await interaction.client.views.update({ view_id: view.id, view: formWithout(view, 'receivers', isOffer) });
  await saveForm(services, interaction);
}

/** Without loading contacts first, because Slack accepts the trigger of a click for three seconds only. */
async function openContactForm(services: UiServices, interaction: Interaction, email = ''): Promise<void> {
  await expectAllowed(services, interaction.actor, 'contacts');
  const position = { query: '', page: 0, form: formBelow(interaction) };
  await interaction.push(addView({ typed: typedContact.parse({ email }), groupOptions: [], position }));
}

type FormBelow = NonNullable<ListPosition['form']>;

function formBelow({ view }: Interaction): FormBelow {
  const { receivers: _, ...fields } = view === undefined ? {} : shownIds(view);
  const { files } = sendMetadata.read(view?.private_metadata) ?? { files: [] };
  return { route: 'send.contact', fields, files };
}

async function saveForm(services: UiServices, interaction: Interaction): Promise<void> {
  const { view } = interaction;
  if (view !== undefined) await saveEntered(services, interaction, filledIn(view), view.private_metadata);
}

/** Selects the contact that was added, unless it isn't saved yet or couldn't be saved. */
async function selectAdded(
  services: UiServices,
  interaction: Interaction,
  { form }: ListPosition,
  buildForm: BuildForm,
): Promise<void> {
  const { id, root_view_id: root } = interaction.view ?? {};
  if (form?.added === undefined || typeof root !== 'string' || root === id) return;
  const { actor, client } = interaction;
  const lists = await contactsOf(services, actor.workspace, { fresh: true });
  const added = contactsByAddress(lists).get(form.added.toLowerCase())?.email;
  if (added === undefined) return;
  const shown = await changeDraft(services, actor, ({ receivers, form: entered }) => ({
    receivers: [...new Set([...receivers, added])],
    form: entered?.view === root ? entered : { view: root, at: 0, joined: [] },
  }));
  // The other fields keep their ids, so Slack keeps what was typed.
  const update = async () => {
    const view = withShownIds(await buildForm(services, interaction, messageFiles(form.files)), form.fields);
    await client.views.update({ view_id: root, view });
  };
  await update();
  const { receivers, groups } = await readDraft(services, actor);
  // The person chose someone during the update, which removed the choice from the form.
  if (!isDeepStrictEqual([receivers, groups], [shown.receivers, shown.groups])) await update();
}
