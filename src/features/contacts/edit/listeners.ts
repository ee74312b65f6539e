import { createFieldErrors, isDroplineError } from '../../../lib/errors.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, openWhenReady, pushWhenReady } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import { doneView } from '../../../slack/views.ts';
import { oneLine } from '../../../slack/words.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import { changeSettings } from '../../settings/operations.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { expectUnchanged } from '../list/checks.ts';
import { parseContact, parseFields, type TypedContact, typedContact } from '../list/fields.ts';
import { contactsOf, contactsToChange } from '../list/operations.ts';
import { readPosition } from '../list/position.ts';
import { presetOptions, readChoice } from '../list/suggest.ts';
import { diffOf } from './diff.ts';
import { addView, changesOf, editView, enteredFields, parseCommandWords, readForm, typedOf } from './form.ts';
import { detachModal } from './notify.ts';
import { queueEdit, save, savingForm } from './save.ts';
import { removeView } from './views.ts';

/** Adds, edits and removes one contact. */
export function contactRoutes(services: ListenerServices): Required<Pick<Routes, 'actions' | 'forms'>> {
  return {
    actions: {
      'contacts.add': (interaction) =>
        pushWhenReady(interaction, 'Add contact', () => addForm(services, interaction, typedContact.parse({}))),
      'contacts.again': (interaction, { value }) =>
        openWhenReady(interaction, 'Add contact', async () => {
          const origin = await detachModal(services.store, interaction.actor.workspace, value);
          return addForm(services, interaction, origin?.typed ?? typedContact.parse({}));
        }),
      'contacts.only-adds': async (interaction, { value }) => {
        await detachModal(services.store, interaction.actor.workspace, value);
        await changeSettings(services, interaction.actor, { contactsOnlyAdd: true });
        const text = 'Add-only service is on. Now try again. You can turn it off in /drop settings.';
        if (interaction.view === undefined) await interaction.reply(text);
        else await interaction.update(doneView('Contacts', text));
      },
    },
    forms: {
      'contacts.add': savingForm(services, (interaction, ...form) => submitNew(services, interaction, ...form)),
      'contacts.edit': savingForm(services, (interaction, ...form) => submitEdit(services, interaction, ...form)),
      'contacts.remove': savingForm(services, async (interaction, _, metadata) => {
        const position = readPosition(metadata);
        const { email } = expectUnchanged(await contactsToChange(services, interaction.actor), position.contact);
        return save(services, interaction, { kind: 'remove', emails: [email] }, { position });
      }),
    },
  };
}

/** Adds the contact if the command's words are valid; otherwise opens the form with these words. */
export async function addFromCommand(
  services: ListenerServices,
  interaction: Interaction,
  commandWords: string[],
): Promise<void> {
  const typed = parseCommandWords(commandWords);
  const { problem, contact } = tryParse(typed);
  if (contact === undefined) {
    await openWhenReady(interaction, 'Add contact', () => addForm(services, interaction, typed, problem));
    return;
  }
  const options = { position: readPosition(undefined), typed };
  await queueEdit(services, interaction, { kind: 'add', contacts: [contact] }, options);
  await interaction.reply(`Adding ${oneLine(contact.email)}…`);
}

function tryParse(typed: TypedContact) {
  if (typed.email === '') return {};
  try {
    return { contact: parseContact(enteredFields(typed)) };
  } catch (error) {
    if (!isDroplineError(error, 'invalid')) throw error;
    return { problem: [error, ...error.others].map(({ message }) => message).join(' ') };
  }
}

async function addForm(services: ListenerServices, interaction: Interaction, typed: TypedContact, problem?: string) {
  await expectAllowed(services, interaction.actor, 'contacts');
  const lists = await contactsOf(services, interaction.actor);
  const { options } = presetOptions(lists, { recipients: [], groups: typed.knownGroups });
  const position = readPosition(interaction.view?.private_metadata);
  return addView({ typed, groupOptions: options, position, problem });
}

async function submitNew(
  services: ListenerServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  await expectAllowed(services, interaction.actor, 'contacts');
  const { lists, typed } = await readTyped(services, interaction, filled);
  const errors = createFieldErrors();
  const contact = errors.check(() => parseContact(enteredFields(typed)));
  // Whether the contact exists already is shown together with what is wrong in other fields.
  errors.check(() => diffOf(lists, { kind: 'add', contacts: [contact ?? parseContact({ email: typed.email })] }));
  errors.throwIfAny();
  if (contact === undefined) throw new Error('an invalid contact has no errors');
  const { form, ...position } = readPosition(metadata);
  const formBelow = form && { form: { ...form, added: contact.email } };
  const options = { position: { ...position, ...formBelow }, typed };
  return save(services, interaction, { kind: 'add', contacts: [contact] }, options);
}

async function readTyped(services: ListenerServices, interaction: Interaction, filled: Filled, initial?: TypedContact) {
  const { lists, chosen } = await readChoice(services, interaction.actor, filled, 'knownGroups');
  return { lists, typed: readForm(filled, chosen.groups, initial) };
}

const titles = { edit: 'Edit contact', groups: 'Groups', remove: 'Remove contact' };

/** Opens the form that edits or removes a contact. `version`: what the person saw of it. */
export async function openEditForm(
  services: ListenerServices,
  interaction: Interaction,
  entry: keyof typeof titles,
  version: string,
): Promise<void> {
  await pushWhenReady(interaction, titles[entry], async () => {
    const lists = await contactsToChange(services, interaction.actor);
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
  services: ListenerServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  const position = readPosition(metadata);
  const contact = expectUnchanged(await contactsToChange(services, interaction.actor), position.contact);
  const { lists, typed } = await readTyped(services, interaction, filled, typedOf(contact));
  const fields = parseFields(changesOf(contact, typed, position.onlyGroups ?? false));
  if (Object.keys(fields).length === 0) return {};
  const change = { kind: 'edit', email: contact.email, fields } as const;
  diffOf(lists, change); // throws an error for the field if another contact has this address
  return save(services, interaction, change, { position });
}
