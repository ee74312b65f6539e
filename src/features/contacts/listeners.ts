import { turnedTo } from '../../slack/pages.ts';
import type { Routes } from '../../slack/routes.ts';
import { doneView } from '../../slack/views.ts';
import { openWhenReady, type Visit } from '../../slack/visit.ts';
import { changeSettings } from '../settings/operations.ts';
import type { UiServices } from '../ui-services.ts';
import { addTyped, contactRoutes } from './listeners-contact.ts';
import { groupRoutes } from './listeners-groups.ts';
import { tableRoutes } from './listeners-table.ts';
import { mostSearched, type Place, readPlace } from './place.ts';
import { refreshBelow, shownList } from './shown.ts';
import { stopShowing } from './tell.ts';

export function contactsRoutes(services: UiServices): Routes {
  const contact = contactRoutes(services);
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
      ...contact.actions,
      ...groups.actions,
      ...tables.actions,
      'contacts.page': (visit, { value }) => show(visit, { page: turnedTo(value) }),
      'contacts.all': (visit) => show(visit, { query: '', page: 0 }),
      'contacts.onlyAdds': async (visit, { value }) => {
        await stopShowing(services.store, visit.actor.workspace, value);
        await changeSettings(services, visit.actor, { contactsOnlyAdd: true });
        const sentence =
          'From now on contacts are only added here. Now try again what did not work. /drop settings takes it back.';
        if (visit.view === undefined) await visit.tell(sentence);
        else await visit.open(doneView('Contacts', sentence));
      },
    },
    forms: {
      ...contact.forms,
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
        closed: (visit, metadata) => refreshBelow(services, visit, metadata),
      },
    },
    options: groups.options,
  };
}

/** `contacts`, `contacts anna`, `contacts add …`. */
async function run(services: UiServices, visit: Visit, words: string[]): Promise<void> {
  const [first = '', ...rest] = words;
  if (first.toLowerCase() === 'add') return addTyped(services, visit, rest);
  const place = { query: words.join(' ').slice(0, mostSearched), page: 0 };
  await openWhenReady(visit, 'Contacts', () => shownList(services, visit, place, { fresh: true }));
}
