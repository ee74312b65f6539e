import { createFieldErrors, isDroplineError } from '../../../errors.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, openWhenReady, pushWhenReady } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import { oneLine } from '../../../slack/words.ts';
import type { UiServices } from '../../common/ui-services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { expectUnchanged } from '../list/listeners.ts';
import { contactsOf } from '../list/operations.ts';
import { readPosition } from '../list/position.ts';
import { presetOptions, readChoice } from '../list/suggest.ts';
import { removeView } from '../views.ts';
import { type Change, diffOf } from './diff.ts';
import { parseContact, parseFields, type TypedContact, typedContact } from './fields.ts';
import { addView, changesOf, editView, newContactOf, parseCommandWords, readForm, typedOf } from './form.ts';
import { detachModal } from './notify.ts';
import { editsIn } from './repository.ts';
import { save, saveByCommand, savingForm } from './save.ts';

/** Adds, edits and removes one contact. */
export function contactRoutes(services: UiServices): Required<Pick<Routes, 'actions' | 'forms'>> {
  return {
    actions: {
      'contacts.add': (interaction) =>
        pushWhenReady(interaction, 'Add contact', () => addForm(services, interaction, typedContact.parse({}))),
      'contacts.again': (interaction, { value }) =>
        openWhenReady(interaction, 'Add contact', async () => {
          const { workspace } = interaction.actor;
          await detachModal(services.store, workspace, value);
          const origin = await editsIn(services.store).readOrigin(workspace, value);
          return addForm(services, interaction, origin?.typed ?? typedContact.parse({}));
        }),
    },
    forms: {
      'contacts.add': savingForm(services, (interaction, ...form) => submitNew(services, interaction, ...form)),
      'contacts.edit': savingForm(services, (interaction, ...form) => submitEdit(services, interaction, ...form)),
      'contacts.remove': savingForm(services, async (interaction, _, metadata) => {
        await expectAllowed(services, interaction.actor, 'contacts');
        const position = readPosition(metadata);
        const lists = await contactsOf(services, interaction.actor.workspace, { fresh: true });
        const { email } = expectUnchanged(lists, position.contact);
        return save(services, interaction, { kind: 'remove', emails: [email] }, { position });
      }),
    },
  };
}

/** Adds the contact if the command's words are valid; otherwise opens the form with these words. */
export async function addFromCommand(
  services: UiServices,
  interaction: Interaction,
  commandWords: string[],
): Promise<void> {
  const typed = parseCommandWords(commandWords);
  const { problem, contact } = tryParse(typed);
  if (contact === undefined) {
    await openWhenReady(interaction, 'Add contact', () => addForm(services, interaction, typed, problem));
    return;
  }
  await saveByCommand(
    services,
    interaction,
    { kind: 'add', contacts: [contact] },
    { position: readPosition(undefined), typed },
  );
  await interaction.reply(`Adding ${oneLine(contact.email)}…`);
}

function tryParse(typed: TypedContact) {
  if (typed.email === '') return { problem: undefined };
  try {
    return { contact: parseContact(newContactOf(typed)) };
  } catch (error) {
    if (!isDroplineError(error, 'invalid')) throw error;
    return { problem: [error, ...error.others].map(({ message }) => message).join(' ') };
  }
}

async function addForm(services: UiServices, interaction: Interaction, typed: TypedContact, problem?: string) {
  await expectAllowed(services, interaction.actor, 'contacts');
  const lists = await contactsOf(services, interaction.actor.workspace);
  const { options } = presetOptions(lists, { recipients: [], groups: typed.knownGroups });
  const position = readPosition(interaction.view?.private_metadata);
  return addView({ typed, groupOptions: options, position, ...(problem === undefined ? {} : { problem }) });
}

async function submitNew(
  services: UiServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  await expectAllowed(services, interaction.actor, 'contacts');
  const { lists, typed } = await readTyped(services, interaction, filled);
  const errors = createFieldErrors();
  const contact = errors.check(() => parseContact(newContactOf(typed))) ?? { email: typed.email };
  const change: Change = { kind: 'add', contacts: [contact] };
  errors.check(() => diffOf(lists, change)); // throws an error for the field if the contact exists
  errors.throwIfAny();
  const { form, ...position } = readPosition(metadata);
  const formBelow = form && { form: { ...form, added: contact.email } };
  return save(services, interaction, change, { position: { ...position, ...formBelow }, typed });
}

async function readTyped(services: UiServices, interaction: Interaction, filled: Filled, initial?: TypedContact) {
  const { lists, chosen } = await readChoice(services, interaction.actor.workspace, filled, 'knownGroups');
  return { lists, typed: readForm(filled, chosen.groups, initial) };
}

/** Opens the modal for an entry of a contact's menu. The value is the entry's name and the contact's version. */
export async function openMenuEntry(services: UiServices, interaction: Interaction, value: string): Promise<void> {
  const [entry, version] = value.split(' ');
  const title = entry === 'remove' ? 'Remove contact' : entry === 'groups' ? 'Groups' : 'Edit contact';
  await pushWhenReady(interaction, title, async () => {
    await expectAllowed(services, interaction.actor, 'contacts');
    const lists = await contactsOf(services, interaction.actor.workspace, { fresh: true });
    const contact = expectUnchanged(lists, version);
    const position = { ...readPosition(interaction.view?.private_metadata), contact: version };
    if (entry === 'remove') return removeView(contact, position);
    const typed = typedOf(contact);
    const { options } = presetOptions(lists, { recipients: [], groups: typed.knownGroups });
    return editView(contact, {
      typed,
      groupOptions: options,
      position: { ...position, onlyGroups: entry === 'groups' },
    });
  });
}

async function submitEdit(
  services: UiServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  await expectAllowed(services, interaction.actor, 'contacts');
  const position = readPosition(metadata);
  const contact = expectUnchanged(
    await contactsOf(services, interaction.actor.workspace, { fresh: true }),
    position.contact,
  );
  const { lists, typed } = await readTyped(services, interaction, filled, typedOf(contact));
  const fields = parseFields(changesOf(contact, typed, position.onlyGroups ?? false));
  if (Object.keys(fields).length === 0) return {};
  const change = { kind: 'edit', email: contact.email, fields } as const;
  diffOf(lists, change); // throws an error for the field if another contact has this address
  return save(services, interaction, change, { position });
}
