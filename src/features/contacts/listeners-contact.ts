import { isDroplineError } from '../../errors.ts';
import type { Filled } from '../../slack/form.ts';
import type { FormAnswer, Routes } from '../../slack/routes.ts';
import { openWhenReady, pushWhenReady, type Visit } from '../../slack/visit.ts';
import { oneLine } from '../../slack/words.ts';
import { earlierChoice, readChoice } from '../receivers/suggest.ts';
import { expectAllowed } from '../settings/permission.ts';
import type { UiServices } from '../ui-services.ts';
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
import { contactsOf } from './lists.ts';
import { readPlace } from './place.ts';
import { save, saveByCommand, savingForm } from './save.ts';
import { expectSeen } from './shown.ts';
import { stopShowing, typedFor } from './tell.ts';
import { removeView } from './views.ts';

/** One contact: added, edited, removed. */
export function contactRoutes(services: UiServices): Required<Pick<Routes, 'actions' | 'forms'>> {
  return {
    actions: {
      'contacts.add': (visit) =>
        pushWhenReady(visit, 'Add a contact', () => addForm(services, visit, typedContact.parse({}))),
      'contacts.menu': (visit, { value }) => act(services, visit, value),
      'contacts.again': (visit, { value }) =>
        openWhenReady(visit, 'Add a contact', async () => {
          await stopShowing(services.store, visit.actor.workspace, value);
          const typed = await typedFor(services.store, visit.actor.workspace, value);
          return addForm(services, visit, typed ?? typedContact.parse({}));
        }),
    },
    forms: {
      'contacts.add': savingForm(services, (visit, ...form) => submitNew(services, visit, ...form)),
      'contacts.edit': savingForm(services, (visit, ...form) => submitEdit(services, visit, ...form)),
      'contacts.remove': savingForm(services, async (visit, _, metadata) => {
        await expectAllowed(services, visit.actor, 'contacts');
        const place = readPlace(metadata);
        const lists = await contactsOf(services, visit.actor.workspace, { fresh: true });
        const { email } = expectSeen(lists, place.contact);
        return save(services, visit, { kind: 'remove', emails: [email] }, { place });
      }),
    },
  };
}

/** What is complete is added; else the form opens with what there is. */
export async function addTyped(services: UiServices, visit: Visit, words: string[]): Promise<void> {
  const typed = typedInWords(words);
  const { problem, contact } = attempt(typed);
  if (contact === undefined) {
    await openWhenReady(visit, 'Add a contact', () => addForm(services, visit, typed, problem));
    return;
  }
  await saveByCommand(services, visit, { kind: 'add', contacts: [contact] }, { place: readPlace(undefined), typed });
  await visit.tell(`Adding ${oneLine(contact.email)}. I send you a message when it is done.`);
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

async function addForm(services: UiServices, visit: Visit, typed: TypedContact, problem?: string) {
  await expectAllowed(services, visit.actor, 'contacts');
  const lists = await contactsOf(services, visit.actor.workspace);
  const { options } = earlierChoice(lists, { receivers: [], groups: typed.knownGroups });
  const place = readPlace(visit.view?.private_metadata);
  return addView({ typed, groupOptions: options, place, ...(problem === undefined ? {} : { problem }) });
}

async function submitNew(services: UiServices, visit: Visit, filled: Filled, metadata: string): Promise<FormAnswer> {
  await expectAllowed(services, visit.actor, 'contacts');
  const { lists, typed } = await readTyped(services, visit, filled);
  const change: Change = { kind: 'add', contacts: [parseContact(newContactOf(typed))] };
  diffOf(lists, change); // whoever is there already is said at the field
  return save(services, visit, change, { place: readPlace(metadata), typed });
}

async function readTyped(services: UiServices, visit: Visit, filled: Filled, before?: TypedContact) {
  const values = filled.choices('knownGroups');
  const { lists, chosen } = await readChoice(services, visit.actor.workspace, values, 'knownGroups');
  return { lists, typed: readForm(filled, chosen.groups, before) };
}

/** An entry of the menu beside a contact: what to do, and with which. */
async function act(services: UiServices, visit: Visit, value: string): Promise<void> {
  const [what, version] = value.split(' ');
  const title = what === 'remove' ? 'Remove a contact' : what === 'groups' ? 'Groups of a contact' : 'Edit a contact';
  await pushWhenReady(visit, title, async () => {
    await expectAllowed(services, visit.actor, 'contacts');
    const lists = await contactsOf(services, visit.actor.workspace, { fresh: true });
    const contact = expectSeen(lists, version);
    const at = { ...readPlace(visit.view?.private_metadata), contact: version };
    if (what === 'remove') return removeView(contact, at);
    const typed = typedOf(contact);
    const { options } = earlierChoice(lists, { receivers: [], groups: typed.knownGroups });
    return editView(contact, { typed, groupOptions: options, place: { ...at, onlyGroups: what === 'groups' } });
  });
}

async function submitEdit(services: UiServices, visit: Visit, filled: Filled, metadata: string): Promise<FormAnswer> {
  await expectAllowed(services, visit.actor, 'contacts');
  const place = readPlace(metadata);
  const contact = expectSeen(await contactsOf(services, visit.actor.workspace, { fresh: true }), place.contact);
  const { lists, typed } = await readTyped(services, visit, filled, typedOf(contact));
  const fields = parseFields(changesOf(contact, typed, place.onlyGroups ?? false));
  if (Object.keys(fields).length === 0) return {};
  const change = { kind: 'edit', email: contact.email, fields } as const;
  diffOf(lists, change); // an address that is somebody else's is said at the field
  return save(services, visit, change, { place });
}
