import { createHash } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { DroplineError } from '../../errors.ts';
import type { Filled } from '../../slack/form.ts';
import type { FormAnswer, FormRoute, Routes } from '../../slack/routes.ts';
import { openWhenReady, type Visit } from '../../slack/visit.ts';
import { expectOwnChannel } from '../own-channel.ts';
import type { UiServices } from '../ui-services.ts';
import { clearedBy, type Fields, fieldsOf, type Prints, printOf, withFields } from './fields.ts';
import { clearField, clearingForm, type Page, pages, routeForm, settingsForm, settingsMetadata } from './forms.ts';
import { addRoute, removeRoute, saveFields } from './operations.ts';
import { overviewView, routesView } from './overview.ts';
import { expectAllowed } from './permission.ts';
import { readForm } from './read-form.ts';
import { readSettings } from './stored.ts';

export function settingsRoutes(services: UiServices): Routes {
  const settingsFor = async ({ actor }: Visit) => (await expectAllowed(services, actor, 'admin')).settings;
  const overview = async (visit: Visit) => overviewView(await settingsFor(visit));

  return {
    commands: {
      settings: {
        summary: 'shows and changes how Dropline works here (admins)',
        run: (visit) => openWhenReady(visit, 'Settings', () => overview(visit)),
      },
    },
    actions: {
      'settings.overview': async (visit) => {
        await visit.open(await overview(visit));
      },
      'settings.open': async (visit, { value }) => {
        const settings = await settingsFor(visit);
        const page = (Object.keys(pages) as Page[]).find((known) => known === value);
        const hasLinks = services.publicUrl !== undefined;
        await visit.open(page === undefined ? routesView(settings, routeId) : settingsForm(page, settings, hasLinks));
      },
      'settings.route-new': async (visit) => {
        await settingsFor(visit);
        await visit.open(routeForm());
      },
      'settings.route-remove': async (visit, { value }) => {
        const settings = await removeRoute(services, visit.actor, ({ from }) => routeId(from) === value);
        await visit.open(routesView(settings, routeId, 'Removed.'));
      },
    },
    forms: {
      ...Object.fromEntries((Object.keys(pages) as Page[]).map((page) => [`settings.${page}`, formOf(services, page)])),
      'settings.route': { submit: (visit, filled) => submitRoute(services, visit, filled) },
    },
  };
}

/** Short, and tells nothing of the sender. */
function routeId(from: string): string {
  return createHash('sha256').update(from).digest('base64url').slice(0, 22);
}

function formOf(services: UiServices, page: Page): FormRoute {
  return {
    async submit(visit, filled, metadata) {
      const { seen } = settingsMetadata.read(metadata) ?? { seen: {} };
      const wish = readForm[page](filled);
      await expectPossible(services, visit, wish, seen);
      const clearing = await unconfirmed(services, visit, page, wish, seen, filled.choices(clearField));
      if (clearing !== undefined) return { view: clearing };
      const settings = await saveFields(services, visit.actor, wish, seen);
      return { view: overviewView(settings, 'Saved.'), done: 'The settings are saved.' };
    },
  };
}

/** The form again, where it would empty something and that was not confirmed. */
async function unconfirmed(
  services: UiServices,
  visit: Visit,
  page: Page,
  wish: Partial<Fields>,
  seen: Prints,
  confirmed: readonly string[],
): Promise<ModalView | undefined> {
  const now = await readSettings(services, visit.actor.workspace);
  const clearing = clearedBy(fieldsOf(now), wish, seen);
  if (clearing.every((name) => confirmed.includes(name))) return undefined;
  return clearingForm(page, withFields(now, wish), { hasLinks: services.publicUrl !== undefined, clearing, seen });
}

async function submitRoute(services: UiServices, visit: Visit, filled: Filled): Promise<FormAnswer> {
  await expectAllowed(services, visit.actor, 'admin');
  const channel = filled.channel('channel') ?? '';
  await expectOwnChannel(services, visit.actor.workspace, channel, 'channel');
  const settings = await addRoute(services, visit.actor, { from: filled.text('from'), channel });
  return { view: routesView(settings, routeId, 'Added.'), done: 'The route is added.' };
}

/** What only Slack and this deployment can tell. A channel that was chosen earlier is not asked about again. */
async function expectPossible(services: UiServices, visit: Visit, wish: Partial<Fields>, seen: Prints): Promise<void> {
  const { workspace } = visit.actor;
  await expectAllowed(services, visit.actor, 'admin');
  const { inboxChannel, watchedChannels = [], delivery } = wish;
  if (inboxChannel !== undefined && seen.inboxChannel !== printOf(inboxChannel)) {
    await expectOwnChannel(services, workspace, inboxChannel, 'inboxChannel');
  }
  if (seen.watchedChannels !== printOf(watchedChannels)) {
    for (const channel of watchedChannels) await expectOwnChannel(services, workspace, channel, 'watchedChannels');
  }
  if (delivery === 'link' && services.publicUrl === undefined) {
    throw new DroplineError('invalid', 'There is no address that a link could lead to.', { field: 'delivery' });
  }
}
