import { isDroplineError } from '../../../errors.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, openWhenReady, pushWhenReady } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import { oneLine } from '../../../slack/words.ts';
import type { UiServices } from '../../common/ui-services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { contactsOf } from '../list/lists.ts';
import { readPosition } from '../list/position.ts';
import { expectSeen } from '../list/shown.ts';
import { earlierChoice, readChoice } from '../list/suggest.ts';
import { removeView } from '../views.ts';
import { type Change, diffOf } from './diff.ts';
import { parseContact, parseFields } from './fields.ts';
import {
  addView,
  changesOf,
  editView,
  newContactOf,
  readForm,
  type TypedContact,
  typedContact,
  typedInWords,
  typedOf,
} from './form.ts';
import { stopShowing, typedFor } from './notify.ts';
import { save, saveByCommand, savingForm } from './save.ts';

/** Adds, edits and removes one contact. */
export function contactRoutes(services: UiServices): Required<Pick<Routes, 'actions' | 'forms'>> {
  return {
    actions: {
      'contacts.add': (interaction) =>
        pushWhenReady(interaction, 'Add a contact', () => addForm(services, interaction, typedContact.parse({}))),
      'contacts.menu': (interaction, { value }) => act(services, interaction, value),
      'contacts.again': (interaction, { value }) =>
        openWhenReady(interaction, 'Add a contact', async () => {
          await stopShowing(services.store, interaction.actor.workspace, value);
          const typed = await typedFor(services.store, interaction.actor.workspace, value);
          return addForm(services, interaction, typed ?? typedContact.parse({}));
        }),
    },
    forms: {
      'contacts.add': savingForm(services, (interaction, ...form) => submitNew(services, interaction, ...form)),
      'contacts.edit': savingForm(services, (interaction, ...form) => submitEdit(services, interaction, ...form)),
      'contacts.remove': savingForm(services, async (interaction, _, metadata) => {
        await expectAllowed(services, interaction.actor, 'contacts');
        const position = readPosition(metadata);
        const lists = await contactsOf(services, interaction.actor.workspace, { fresh: true });
        const { email } = expectSeen(lists, position.contact);
        return save(services, interaction, { kind: 'remove', emails: [email] }, { position });
      }),
    },
  };
}

/** Adds a valid contact; otherwise opens the form with what was typed. */
export async function addTyped(services: UiServices, interaction: Interaction, words: string[]): Promise<void> {
  const typed = typedInWords(words);
  const { problem, contact } = attempt(typed);
  if (contact === undefined) {
    await openWhenReady(interaction, 'Add a contact', () => addForm(services, interaction, typed, problem));
    return;
  }
  await saveByCommand(
    services,
    interaction,
    { kind: 'add', contacts: [contact] },
    { position: readPosition(undefined), typed },
  );
  await interaction.reply(`Adding ${oneLine(contact.email)}. I send you a message when it is done.`);
}

function attempt(typed: TypedContact) {
  if (typed.email === '') return { problem: undefined };
  try {
    return { contact: parseContact(newContactOf(typed)) };
  } catch (error) {
    if (!isDroplineError(error, 'invalid')) throw error;
    return { problem: error.message };
  }
}

async function addForm(services: UiServices, interaction: Interaction, typed: TypedContact, problem?: string) {
  await expectAllowed(services, interaction.actor, 'contacts');
  const lists = await contactsOf(services, interaction.actor.workspace);
  const { options } = earlierChoice(lists, { receivers: [], groups: typed.knownGroups });
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
  const change: Change = { kind: 'add', contacts: [parseContact(newContactOf(typed))] };
  diffOf(lists, change); // shows an error at the field if the contact exists
  return save(services, interaction, change, { position: readPosition(metadata), typed });
}

async function readTyped(services: UiServices, interaction: Interaction, filled: Filled, before?: TypedContact) {
  const values = filled.choices('knownGroups');
  const { lists, chosen } = await readChoice(services, interaction.actor.workspace, values, 'knownGroups');
  return { lists, typed: readForm(filled, chosen.groups, before) };
}

/** An entry of a contact's menu: the action, and the version of the contact. */
async function act(services: UiServices, interaction: Interaction, value: string): Promise<void> {
  const [what, version] = value.split(' ');
  const title = what === 'remove' ? 'Remove a contact' : what === 'groups' ? 'Groups of a contact' : 'Edit a contact';
  await pushWhenReady(interaction, title, async () => {
    await expectAllowed(services, interaction.actor, 'contacts');
    const lists = await contactsOf(services, interaction.actor.workspace, { fresh: true });
    const contact = expectSeen(lists, version);
    const at = { ...readPosition(interaction.view?.private_metadata), contact: version };
    if (what === 'remove') return removeView(contact, at);
    const typed = typedOf(contact);
    const { options } = earlierChoice(lists, { receivers: [], groups: typed.knownGroups });
    return editView(contact, { typed, groupOptions: options, position: { ...at, onlyGroups: what === 'groups' } });
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
  const contact = expectSeen(
    await contactsOf(services, interaction.actor.workspace, { fresh: true }),
    position.contact,
  );
  const { lists, typed } = await readTyped(services, interaction, filled, typedOf(contact));
  const fields = parseFields(changesOf(contact, typed, position.onlyGroups ?? false));
  if (Object.keys(fields).length === 0) return {};
  const change = { kind: 'edit', email: contact.email, fields } as const;
  diffOf(lists, change); // shows an error at the field if another contact has this address
  return save(services, interaction, change, { position });
}
