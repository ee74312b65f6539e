import { isDeepStrictEqual } from 'node:util';
import type { ModalView } from '@slack/types';
import { isDroplineError } from '../../../lib/errors.ts';
import { shownIds, withShownIds } from '../../../slack/field-ids.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, pushWhenReady } from '../../../slack/interaction.ts';
import { formWithout } from '../../../slack/rebuilt-form.ts';
import type { FormRoute } from '../../../slack/routes.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import { addView } from '../../contacts/edit/form.ts';
import { typedContact } from '../../contacts/list/fields.ts';
import { type Chosen, contactsByAddress } from '../../contacts/list/ids.ts';
import { contactsOf } from '../../contacts/list/operations.ts';
import { type ListPosition, readPosition } from '../../contacts/list/position.ts';
import { addressToAdd, isOffer, knownRecipients } from '../../contacts/list/suggest.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { changeDraft, readDraft } from '../../staging/repository.ts';

/** A form with a recipients field, other than the send form, which keeps its recipients in the draft. */
export interface FormWithRecipients {
  /** The form route that is called when the person closes the result of adding a contact. */
  route: string;
  /** Builds the form with these recipients. `metadata`: the metadata of the open form. */
  build(interaction: Interaction, chosen: Chosen, metadata: string): Promise<ModalView>;
}

/** Lets people add a new contact from the form by typing its address. Back in the form, the contact is a recipient. */
export function addingContacts(
  services: ListenerServices,
  form: FormWithRecipients,
): { entered: NonNullable<FormRoute['entered']>; forms: Record<string, FormRoute> } {
  return {
    entered: async (interaction, filled, metadata, at, field) => {
      const below = { route: form.route, metadata };
      if (field === 'recipients') await recipientsEntered(services, interaction, filled, at, below);
    },
    forms: {
      [form.route]: {
        submit: async () => ({}),
        closed: (interaction, metadata) => selectAdded(services, interaction, readPosition(metadata), form),
      },
    },
  };
}

async function recipientsEntered(
  services: ListenerServices,
  interaction: Interaction,
  filled: Filled,
  at: number,
  below: Pick<FormBelow, 'route' | 'metadata'>,
): Promise<void> {
  await expectAllowed(services, interaction.actor, 'view');
  const view = interaction.view?.id ?? '';
  const values = filled.choices('recipients');
  const address = addressToAdd(values);
  if (address !== undefined) await openForAddress(services, interaction, address, below);
  const options = values.filter((value) => !isOffer(value));
  await changeDraft(services, interaction.actor, ({ choosing }) =>
    choosing?.view === view && at <= choosing.at ? {} : { choosing: { view, at, options } },
  );
}

/** Opens the contact form with a typed address, and removes its “Add …” option from the recipients field below. */
export async function openForAddress(
  services: ListenerServices,
  interaction: Interaction,
  address: string,
  below: Pick<FormBelow, 'route'> & Partial<FormBelow>,
): Promise<void> {
  const { view, client } = interaction;
  if (view === undefined) return;
  try {
    await openContactForm(services, interaction, below, address);
  } catch (error) {
    if (!isDroplineError(error)) throw error;
    await interaction.showError(error.message);
  }
  await client.views.update({ view_id: view.id, view: interaction.stamped(formWithout(view, 'recipients', isOffer)) });
}

type FormBelow = NonNullable<ListPosition['form']>;

/** Opens the contact form on top of the form, without loading contacts. */
export async function openContactForm(
  services: ListenerServices,
  interaction: Interaction,
  below: Pick<FormBelow, 'route'> & Partial<FormBelow>,
  email = '',
): Promise<void> {
  const { recipients: _, ...fields } = interaction.view === undefined ? {} : shownIds(interaction.view);
  const position = { query: '', page: 0, form: { fields, files: [], ...below } };
  await pushWhenReady(interaction, 'Add contact', async () => {
    await expectAllowed(services, interaction.actor, 'contacts');
    return addView({ typed: typedContact.parse({ email }), groupOptions: [], position });
  });
}

/** The added contact, and the form below the closed result. Undefined if no contact was saved or no form is below. */
export async function addedContact(services: ListenerServices, interaction: Interaction, { form }: ListPosition) {
  const { id, root_view_id: root } = interaction.view ?? {};
  if (form?.added === undefined || typeof root !== 'string' || root === id) return undefined;
  const lists = await contactsOf(services, interaction.actor, { fresh: true });
  const email = contactsByAddress(lists).get(form.added.toLowerCase())?.email;
  return email === undefined ? undefined : { email, lists, root, below: form };
}

async function selectAdded(
  services: ListenerServices,
  interaction: Interaction,
  position: ListPosition,
  { build }: FormWithRecipients,
): Promise<void> {
  const added = await addedContact(services, interaction, position);
  if (added === undefined) return;
  const { email, lists, root, below } = added;
  const readOptions = async () => {
    const { choosing } = await readDraft(services, interaction.actor);
    return choosing?.view === root ? choosing.options : [];
  };
  // The other fields keep their ids, so Slack keeps what was typed.
  const update = async (options: readonly string[]) => {
    const { recipients, groups } = knownRecipients(lists, options);
    const form = await build(
      interaction,
      { recipients: [...new Set([...recipients, email])], groups },
      below.metadata ?? '',
    );
    const view = interaction.stamped(withShownIds(form, below.fields));
    await interaction.client.views.update({ view_id: root, view });
  };
  const shownOptions = await readOptions();
  await update(shownOptions);
  const current = await readOptions();
  // The person changed the recipients during the update, which reset them in the form.
  if (!isDeepStrictEqual(current, shownOptions)) await update(current);
}
