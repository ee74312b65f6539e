import { isDeepStrictEqual } from 'node:util';
import type { ModalView } from '@slack/types';
import { withShownIds } from '../../../slack/field-ids.ts';
import { filledIn } from '../../../slack/form.ts';
import type { Interaction } from '../../../slack/interaction.ts';
import type { Routes } from '../../../slack/routes.ts';
import { type ListPosition, readPosition } from '../../contacts/list/position.ts';
import { addedContact, openContactForm, openForAddress } from '../../recipients/contact/listeners.ts';
import { changeDraft, readDraft } from '../../staging/repository.ts';
import type { TransferUiServices } from '../shown-kind.ts';
import { saveEntered } from './form.ts';
import { sendMetadata } from './views.ts';

/** Files of the message from which the form was opened. The form offers them. */
export type MessageFiles = readonly { id: string; name: string | null }[];

export const messageFiles = (ids: readonly string[] = []): MessageFiles => ids.map((id) => ({ id, name: null }));

/** Builds the send form with the draft's recipients. */
export type BuildForm = (
  services: TransferUiServices,
  interaction: Interaction,
  message: MessageFiles,
) => Promise<ModalView>;

/** Adds a contact from the send form. Back in the form, the contact is a recipient. */
export function newContactRoutes(
  services: TransferUiServices,
  buildForm: BuildForm,
): Required<Pick<Routes, 'actions' | 'forms'>> {
  return {
    actions: {
      'send.contact': async (interaction) => {
        await openContactForm(services, interaction, formBelow(interaction));
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

export async function addTypedContact(
  services: TransferUiServices,
  interaction: Interaction,
  address: string,
): Promise<void> {
  await openForAddress(services, interaction, address, formBelow(interaction));
  await saveForm(services, interaction);
}

function formBelow({ view }: Interaction) {
  const { files } = sendMetadata.read(view?.private_metadata) ?? { files: [] };
  return { route: 'send.contact', files };
}

async function saveForm(services: TransferUiServices, interaction: Interaction): Promise<void> {
  const { view } = interaction;
  if (view !== undefined) await saveEntered(services, interaction, filledIn(view), view.private_metadata);
}

/** Selects the contact that was added, unless it isn't saved yet or couldn't be saved. */
async function selectAdded(
  services: TransferUiServices,
  interaction: Interaction,
  position: ListPosition,
  buildForm: BuildForm,
): Promise<void> {
  const added = await addedContact(services, interaction, position);
  if (added === undefined) return;
  const { email, root, below } = added;
  const { actor, client } = interaction;
  const draft = await changeDraft(services, actor, ({ recipients, form: entered }) => ({
    recipients: [...new Set([...recipients, email])],
    form: entered?.view === root ? entered : { view: root, at: 0, files: [] },
  }));
  // The other fields keep their ids, so Slack keeps what was typed.
  const update = async () => {
    const view = withShownIds(await buildForm(services, interaction, messageFiles(below.files)), below.fields);
    await client.views.update({ view_id: root, view: interaction.stamped(view) });
  };
  await update();
  const { recipients, groups } = await readDraft(services, actor);
  // The person changed the recipients during the update, which reset them in the form.
  if (!isDeepStrictEqual([recipients, groups], [draft.recipients, draft.groups])) await update();
}
