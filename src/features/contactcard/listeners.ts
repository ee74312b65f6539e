import type { ModalView } from '@slack/types';
import type { ContactLists } from '../../exchange/index.ts';
import { withFieldIds } from '../../slack/field-ids.ts';
import { type Interaction, openWhenReady } from '../../slack/interaction.ts';
import type { Routes } from '../../slack/routes.ts';
import { connectionOf } from '../common/connection.ts';
import { typedSearch } from '../common/search/form.ts';
import type { UiServices } from '../common/ui-services.ts';
import { addFromCommand, openMenuEntry } from '../contacts/edit/listeners.ts';
import { type ContactWithEmail, contactsById, hasEmail } from '../contacts/list/ids.ts';
import { rightsOf } from '../contacts/list/listeners.ts';
import { type ListPosition, maxQueryChars, readPosition } from '../contacts/list/position.ts';
import { searchContacts } from '../contacts/list/search.ts';
import { presetOptions } from '../contacts/list/suggest.ts';
import { contactsOf } from '../contacts/operations.ts';
import { listView } from '../contacts/views.ts';
import { expectAllowed } from '../settings/permission.ts';
import { changeDraft } from '../staging/repository.ts';
import { requestView, switchedOffView } from '../transfers/kinds/request/views.ts';
import { contactGone } from './errors.ts';
import { readTransferHistory } from './operations.ts';
import { cardView } from './views.ts';

export function contactCardRoutes(services: UiServices): Routes {
  return {
    commands: {
      contacts: {
        usage: '[name] | add <email> [number] [name]',
        summary: 'Manage contacts',
        run: (interaction, args) => run(services, interaction, args),
      },
    },
    actions: {
      'contacts.card': (interaction, { value }) => openCard(services, interaction, value),
      'contacts.menu': (interaction, { value }) => {
        const [entry, id = ''] = value.split(' ');
        return entry === 'open' ? openCard(services, interaction, id) : openMenuEntry(services, interaction, value);
      },
      'contacts.send': (interaction, { value }) => sendTo(services, interaction, value),
      'contacts.request': (interaction, { value }) =>
        openWhenReady(interaction, 'Request files', () => requestForm(services, interaction, value)),
    },
    forms: {
      'contacts.card': {
        submit: async () => ({}),
        closed: (interaction, metadata) => refreshCard(services, interaction, readPosition(metadata)),
      },
    },
  };
}

/** `contacts`, `contacts add …`, and `contacts anna`, which opens the card if only one contact matches. */
async function run(services: UiServices, interaction: Interaction, args: string[]): Promise<void> {
  const [subcommand = '', ...contactArgs] = args;
  if (subcommand.toLowerCase() === 'add') return addFromCommand(services, interaction, contactArgs);
  const { search: query = '' } = typedSearch(args);
  const position = { query: query.slice(0, maxQueryChars), page: 0 };
  await openWhenReady(interaction, 'Contacts', async () => {
    const rights = await rightsOf(services, interaction.actor);
    const lists = await contactsOf(services, interaction.actor.workspace, { fresh: true });
    const contact = onlyMatch(lists, position.query);
    return contact === undefined
      ? listView(lists, position, rights)
      : cardOf(services, interaction, lists, contact, position);
  });
}

/** The matching contact, if all matches have the same address. */
function onlyMatch(lists: ContactLists, query: string): ContactWithEmail | undefined {
  if (query === '') return undefined;
  const matches = searchContacts(lists, query);
  const addresses = new Set(matches.map(({ email }) => email?.toLowerCase()));
  return addresses.size === 1 ? matches.find(hasEmail) : undefined;
}

/** Replaces the list instead of stacking: Slack allows three modals, and the card's forms need the others. */
async function openCard(services: UiServices, interaction: Interaction, id: string): Promise<void> {
  await openWhenReady(interaction, 'Contact', async () => {
    const { lists, contact } = await expectContact(services, interaction, id);
    const position = readPosition(interaction.view?.private_metadata);
    return cardOf(services, interaction, lists, contact, position);
  });
}

async function cardOf(
  services: UiServices,
  { actor }: Interaction,
  { local }: ContactLists,
  contact: ContactWithEmail,
  position: ListPosition,
): Promise<ModalView> {
  const rights = await rightsOf(services, actor);
  const transferHistory = await readTransferHistory(services, actor, contact);
  return cardView({ ...transferHistory, contact, isGlobal: !local.includes(contact), rights, position });
}

/** The contact with this id in the person's workspace. */
async function expectContact(services: UiServices, { actor }: Interaction, id: string) {
  await expectAllowed(services, actor, 'view');
  const lists = await contactsOf(services, actor.workspace, { fresh: true });
  const contact = findContact(lists, id);
  if (contact === undefined) throw contactGone();
  return { lists, contact };
}

const findContact = (lists: ContactLists, id: string | undefined) => contactsById(lists).get(id ?? '');

/** Opens the send form for this contact. It replaces the recipients that were entered before. */
async function sendTo(services: UiServices, interaction: Interaction, id: string): Promise<void> {
  await expectAllowed(services, interaction.actor, 'send');
  const { contact } = await expectContact(services, interaction, id);
  await changeDraft(services, interaction.actor, () => ({ recipients: [contact.email], groups: [] }));
  await services.runCommand(interaction, 'send');
}

async function requestForm(services: UiServices, interaction: Interaction, id: string): Promise<ModalView> {
  const { settings, isAdmin } = await expectAllowed(services, interaction.actor, 'request');
  const { lists, contact } = await expectContact(services, interaction, id);
  if (!settings.requests) {
    const { credentials } = await connectionOf(services, interaction.actor.workspace);
    return switchedOffView(isAdmin, credentials.connectedBy);
  }
  const { options } = presetOptions(lists, { recipients: [contact.email], groups: [] });
  return requestView(settings.expiry, { recipients: options, message: '', expiresAfter: settings.expiry.default });
}

/** Updates the card below a closed form. Shows the list instead if the contact was removed or has a new address. */
async function refreshCard(services: UiServices, interaction: Interaction, position: ListPosition): Promise<void> {
  const { id, root_view_id: root } = interaction.view ?? {};
  if (typeof root !== 'string' || root === id) return;
  const refresh = async () => {
    const { actor, client } = interaction;
    const rights = await rightsOf(services, actor);
    const lists = await contactsOf(services, actor.workspace, { fresh: true });
    const contact = findContact(lists, position.card);
    const view =
      contact === undefined
        ? listView(lists, position, rights)
        : await cardOf(services, interaction, lists, contact, position);
    await client.views.update({ view_id: root, view: withFieldIds(view) });
  };
  // The person didn't ask for a refresh: if it fails, the card stays as it was.
  await refresh().catch(() => {});
}
