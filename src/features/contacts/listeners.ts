import { isDroplineError } from '../../errors.ts';
import type { Filled } from '../../slack/form.ts';
import { turnedTo } from '../../slack/pages.ts';
import type { FormAnswer, Routes } from '../../slack/routes.ts';
import { doneView } from '../../slack/views.ts';
import { openWhenReady, pushWhenReady, type Visit } from '../../slack/visit.ts';
import { oneLine } from '../../slack/words.ts';
import { chosenReceivers, earlierChoice } from '../receivers/suggest.ts';
import { changeSettings } from '../settings/operations.ts';
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
import { groupRoutes } from './listeners-groups.ts';
import { tableRoutes } from './listeners-table.ts';
import { contactsOf } from './lists.ts';
import { type Place, readPlace } from './place.ts';
import { save, saveByCommand } from './save.ts';
import { expectSeen, refreshBelow, shownList } from './shown.ts';
import { typedFor } from './tell.ts';
import { removeView } from './views.ts';

export function contactsRoutes(services: UiServices): Routes {
  const groups = groupRoutes(services);
  const tables = tableRoutes(services);
  const show = async (visit: Visit, place: Partial<Place>) => {
    await visit.open(await shownList(services, visit, { ...readPlace(visit.view?.private_metadata), ...place }));
  };
  return {
    commands: {
      contacts: {
        usage: '[name] | add <e-mail> [number] [name]',
        summary: 'shows, adds and changes contacts',
        run: (visit, words) => run(services, visit, words),
      },
    },
    actions: {
      ...groups.actions,
      ...tables.actions,
      'contacts.page': (visit, { value }) => show(visit, { page: turnedTo(value) }),
      'contacts.all': (visit) => show(visit, { query: '', page: 0 }),
      'contacts.add': (visit) =>
        pushWhenReady(visit, 'Add a contact', () => addForm(services, visit, typedContact.parse({}))),
      'contacts.menu': (visit, { value }) => act(services, visit, value),
      'contacts.again': async (visit, { value }) => {
        const typed = await typedFor(services.store, visit.actor.workspace, value);
        await openWhenReady(visit, 'Add a contact', () => addForm(services, visit, typed ?? typedContact.parse({})));
      },
      'contacts.onlyAdds': async (visit) => {
        await changeSettings(services, visit.actor, { contactsOnlyAdd: true });
        const sentence =
          'From now on contacts are only added here. Try again what did not work. /drop settings takes it back.';
        if (visit.view === undefined) await visit.tell(sentence);
        else await visit.open(doneView('Contacts', sentence));
      },
    },
    forms: {
      ...groups.forms,
      ...tables.forms,
      'contacts.list': {
        submit: async (visit, filled) => {
          const place = { query: filled.text('query'), page: 0 };
          return { view: await shownList(services, visit, place, { fresh: true }) };
        },
      },
      'contacts.outcome': {
        submit: async () => ({}),
        closed: (visit, _, metadata) => refreshBelow(services, visit, metadata),
      },
      'contacts.add': { submit: (visit, filled, metadata) => submitNew(services, visit, filled, metadata) },
      'contacts.edit': { submit: (visit, filled, metadata) => submitEdit(services, visit, filled, metadata) },
      'contacts.remove': {
        submit: async (visit, _, metadata) => {
          const place = readPlace(metadata);
          const lists = await contactsOf(services, visit.actor.workspace, { fresh: true });
          const { email } = expectSeen(lists, place.contact);
          return save(services, visit, { kind: 'remove', emails: [email] }, { place });
        },
      },
    },
    options: { ...groups.options },
  };
}

/** `contacts`, `contacts anna`, `contacts add …`. */
async function run(services: UiServices, visit: Visit, words: string[]): Promise<void> {
  const [first = '', ...rest] = words;
  if (first.toLowerCase() === 'add') return addTyped(services, visit, rest);
  const place = { query: words.join(' ').slice(0, 100), page: 0 };
  await openWhenReady(visit, 'Contacts', () => shownList(services, visit, place, { fresh: true }));
}

/** What is complete is added; else the form opens with what there is. */
async function addTyped(services: UiServices, visit: Visit, words: string[]): Promise<void> {
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
  const lists = await contactsOf(services, visit.actor.workspace);
  const typed = readForm(filled, chosenReceivers(lists, filled.choices('knownGroups'), 'knownGroups').groups);
  const change: Change = { kind: 'add', contacts: [parseContact(newContactOf(typed))] };
  diffOf(lists, change); // whoever is there already is said at the field
  return save(services, visit, change, { place: readPlace(metadata), typed });
}

/** An entry of the menu beside a contact: what to do, and with which. */
async function act(services: UiServices, visit: Visit, value: string): Promise<void> {
  const [what, version] = value.split(' ');
  const title = what === 'remove' ? 'Remove a contact' : what === 'groups' ? 'Groups of a contact' : 'Edit a contact';
  await pushWhenReady(visit, title, async () => {
    await expectAllowed(services, visit.actor, 'contacts');
    const lists = await contactsOf(services, visit.actor.workspace);
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
  const lists = await contactsOf(services, visit.actor.workspace, { fresh: true });
  const contact = expectSeen(lists, place.contact);
  const typed = readForm(filled, chosenReceivers(lists, filled.choices('knownGroups'), 'knownGroups').groups);
  const fields = parseFields(changesOf(contact, typed, place.onlyGroups ?? false));
  if (Object.keys(fields).length === 0) return {};
  const change = { kind: 'edit', email: contact.email, fields } as const;
  diffOf(lists, change); // an address that is somebody else's is said at the field
  return save(services, visit, change, { place });
}
