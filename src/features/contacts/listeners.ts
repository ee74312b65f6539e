import type { Interaction } from '../../slack/interaction.ts';
import { targetPage } from '../../slack/pages.ts';
import type { Routes } from '../../slack/routes.ts';
import { doneView } from '../../slack/views.ts';
import { readSearch } from '../common/search/form.ts';
import type { UiServices } from '../common/ui-services.ts';
import { changeSettings } from '../settings/operations.ts';
import { contactRoutes } from './edit/listeners.ts';
import { detachModal } from './edit/notify.ts';
import { groupRoutes } from './groups/listeners.ts';
import { importRoutes } from './import/listeners.ts';
import { contactListView, refreshViewsBelow } from './list/listeners.ts';
import { type ListPosition, readPosition } from './list/position.ts';

/** The feature `contactcard` has the command and the menu of a contact, because both can open the contact's card. */
export function contactsRoutes(services: UiServices): Routes {
  const contact = contactRoutes(services);
  const groups = groupRoutes(services);
  const tables = importRoutes(services);
  const show = async (interaction: Interaction, position: Partial<ListPosition>) => {
    await interaction.open(
      await contactListView(services, interaction, {
        ...readPosition(interaction.view?.private_metadata),
        ...position,
      }),
    );
  };
  return {
    actions: {
      ...contact.actions,
      ...groups.actions,
      ...tables.actions,
      'contacts.page': (interaction, { value }) => show(interaction, { page: targetPage(value) }),
      'contacts.all': (interaction) => show(interaction, { query: '', page: 0 }),
      'contacts.only-adds': async (interaction, { value }) => {
        await detachModal(services.store, interaction.actor.workspace, value);
        await changeSettings(services, interaction.actor, { contactsOnlyAdd: true });
        const text = 'Add-only service is on. Now try again. You can turn it off in /drop settings.';
        if (interaction.view === undefined) await interaction.reply(text);
        else await interaction.open(doneView('Contacts', text));
      },
    },
    forms: {
      ...contact.forms,
      ...groups.forms,
      ...tables.forms,
      'contacts.list': {
        submit: async (interaction, filled) => {
          const { search: query = '' } = readSearch(filled, 'query');
          const position = { query, page: 0 };
          return { view: await contactListView(services, interaction, position, { fresh: true }) };
        },
      },
      'contacts.outcome': {
        submit: async () => ({}),
        closed: (interaction, metadata) => refreshViewsBelow(services, interaction, metadata),
      },
    },
    options: groups.options,
  };
}
