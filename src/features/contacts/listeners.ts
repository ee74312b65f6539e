import type { ModalView } from '@slack/types';
import type { ContactLists } from '../../exchange/index.ts';
import { withFieldIds } from '../../slack/field-ids.ts';
import { type Interaction, openWhenReady } from '../../slack/interaction.ts';
import { targetPage } from '../../slack/pages.ts';
import type { Routes } from '../../slack/routes.ts';
import { readSearch, typedSearch } from '../common/search/form.ts';
import type { Actor } from '../common/services.ts';
import type { ListenerServices } from '../common/slack-services.ts';
import { withDeskSwitch } from '../settings/desks/fields.ts';
import { addFromCommand, contactRoutes, openEditForm } from './edit/listeners.ts';
import { groupRoutes } from './groups/listeners.ts';
import { groupsView } from './groups/views.ts';
import { importRoutes } from './import/listeners.ts';
import { expectContact } from './list/checks.ts';
import { buttonExpired } from './list/errors.ts';
import { type ContactWithEmail, contactsById, hasEmail } from './list/ids.ts';
import { contactsOf } from './list/operations.ts';
import { contactRightsOf } from './list/permission.ts';
import { type ListPosition, maxQueryChars, readPosition } from './list/position.ts';
import { searchContacts } from './list/search.ts';
import { listView, menuValue, type OpenContact } from './views.ts';

type FindContact = (lists: ContactLists) => ContactWithEmail | undefined;

/** @param cardOf builds a contact's card: that needs transfers, which this feature doesn't know */
export function contactsRoutes(
  services: ListenerServices,
  cardOf: (actor: Actor, open: OpenContact) => Promise<ModalView>,
): Routes {
  const contact = contactRoutes(services);
  const groups = groupRoutes(services);
  const tables = importRoutes(services);

  /** The card of the contact that `find` finds, otherwise the list. Unless `fresh`, it can use a cached list. */
  async function viewOf(
    actor: Actor,
    position: ListPosition,
    { find, fresh = true }: { find?: FindContact; fresh?: boolean } = {},
  ): Promise<ModalView> {
    const rights = await contactRightsOf(services, actor);
    const lists = await contactsOf(services, actor, { fresh });
    const found = find?.(lists);
    if (found === undefined) return withDeskSwitch(services, actor, listView(lists, position, rights), 'contacts');
    return cardOf(actor, { contact: found, isGlobal: !lists.local.includes(found), rights, position });
  }

  async function showList(interaction: Interaction, change: Partial<ListPosition>): Promise<void> {
    const position = { ...readPosition(interaction.view?.private_metadata), ...change };
    await interaction.update(await viewOf(interaction.actor, position, { fresh: false }));
  }

  /** Replaces the list instead of stacking: Slack allows three modals, and the card's forms need the others. */
  async function openCard(interaction: Interaction, id: string): Promise<void> {
    const position = readPosition(interaction.view?.private_metadata);
    const find: FindContact = (lists) => expectContact(lists, id);
    await openWhenReady(interaction, 'Contact', () => viewOf(interaction.actor, position, { find }));
  }

  /** `contacts`, `contacts add …`, and `contacts anna`, which opens the card if only one contact matches. */
  async function run(interaction: Interaction, args: string[]): Promise<void> {
    const [subcommand = '', ...contactArgs] = args;
    if (subcommand.toLowerCase() === 'add') return addFromCommand(services, interaction, contactArgs);
    const { search = '' } = typedSearch(args);
    const query = search.slice(0, maxQueryChars);
    const find: FindContact = (lists) => onlyMatch(lists, query);
    await openWhenReady(interaction, 'Contacts', () => viewOf(interaction.actor, { query, page: 0 }, { find }));
  }

  /**
   * Refreshes the views below a closed view, because the edit might have changed the contacts that they show. Instead of
   * a card, shows the list if its contact was removed or has a new address.
   */
  async function refreshViewsBelow(interaction: Interaction, position: ListPosition): Promise<void> {
    const { actor, client, view: { id, root_view_id: root, previous_view_id: previous } = {} } = interaction;
    const showsContacts = position.fromList === true || position.card !== undefined;
    if (!showsContacts || typeof root !== 'string' || root === id) return;
    const view = await viewOf(actor, position, { find: (lists) => contactsById(lists).get(position.card ?? '') });
    if (position.groups !== undefined && typeof previous === 'string' && previous !== root) {
      const lists = await contactsOf(services, actor);
      const groupsBelow = groupsView(lists, position, await contactRightsOf(services, actor));
      await client.views.update({ view_id: previous, view: interaction.stamped(groupsBelow) });
    }
    await client.views.update({ view_id: root, view: interaction.stamped(withFieldIds(view)) });
  }

  return {
    commands: {
      contacts: { usage: '[name] | add <email> [number] [name]', summary: 'Manage contacts', run },
    },
    actions: {
      ...contact.actions,
      ...groups.actions,
      ...tables.actions,
      'contacts.page': (interaction, { value }) => showList(interaction, { page: targetPage(value) }),
      'contacts.all': (interaction) => showList(interaction, { query: '', page: 0 }),
      'contacts.card': (interaction, { value }) => openCard(interaction, value),
      'contacts.menu': async (interaction, { value }) => {
        const chosen = menuValue.read(value);
        if (chosen === undefined) throw buttonExpired();
        if (chosen.entry === 'open') await openCard(interaction, chosen.id);
        else await openEditForm(services, interaction, chosen.entry, chosen.version);
      },
    },
    forms: {
      ...contact.forms,
      ...groups.forms,
      ...tables.forms,
      'contacts.list': {
        submit: async (interaction, filled) => {
          const { search: query = '' } = readSearch(filled, 'query');
          return { view: await viewOf(interaction.actor, { query, page: 0 }) };
        },
      },
      'contacts.outcome': {
        submit: async () => ({}),
        // The person didn't ask for a refresh: if it fails, the views stay as they were.
        closed: (interaction, metadata) => refreshViewsBelow(interaction, readPosition(metadata)).catch(() => {}),
      },
    },
    options: groups.options,
  };
}

/** The matching contact, if all matches have the same address. */
function onlyMatch(lists: ContactLists, query: string): ContactWithEmail | undefined {
  if (query === '') return undefined;
  const matches = searchContacts(lists, query);
  const addresses = new Set(matches.map(({ email }) => email?.toLowerCase()));
  return addresses.size === 1 ? matches.find(hasEmail) : undefined;
}
