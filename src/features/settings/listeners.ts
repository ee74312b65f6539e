import { createHash } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { createFieldErrors, type FieldErrors } from '../../errors.ts';
import { isSharedOutside } from '../../slack/channels.ts';
import type { Filled } from '../../slack/form.ts';
import { type Interaction, openWhenReady } from '../../slack/interaction.ts';
import { platformErrorOf } from '../../slack/platform-errors.ts';
import { formWithBlocks } from '../../slack/rebuilt-form.ts';
import type { FormAnswer, FormRoute, Routes } from '../../slack/routes.ts';
import { oneLine } from '../../slack/words.ts';
import { connectionOf } from '../common/connection.ts';
import type { SlackServices, UiServices } from '../common/ui-services.ts';
import { botNotInChannel, channelArchived, channelPublic, channelSharedOutside, linksUnavailable } from './errors.ts';
import { type FieldHashes, type Fields, fieldsOf, fieldsToClear, hashOf, withFields } from './fields.ts';
import {
  clearField,
  clearingForm,
  type Page,
  pages,
  readForm,
  routeForm,
  settingsForm,
  settingsMetadata,
} from './form.ts';
import { addRoute, expectPeople, expectSender, expectWorkChannels, removeRoute, saveFields } from './operations.ts';
import { withPeopleFields } from './people/form.ts';
import { expectAllowed } from './permission.ts';
import { scannerInfo } from './policies/repository.ts';
import { policiesView } from './policies/views.ts';
import { readSettings, type Settings } from './repository.ts';
import { overviewView, requestsOnView, routesView } from './views.ts';

export function settingsRoutes(services: UiServices): Routes {
  const settingsFor = async ({ actor }: Interaction) => {
    const { settings } = await expectAllowed(services, actor, 'admin');
    // Most settings belong to the account: without one, the admin is asked to connect first.
    await connectionOf(services, actor.workspace);
    return settings;
  };
  const overview = async (interaction: Interaction) => overviewView(await settingsFor(interaction));

  return {
    commands: {
      settings: {
        summary: 'Change settings',
        run: (interaction) => openWhenReady(interaction, 'Settings', () => overview(interaction)),
      },
    },
    actions: {
      'settings.policies': async (interaction) => {
        await openOnTop(interaction, policiesView(await settingsFor(interaction), await scannerInfo(services)));
      },
      'settings.open': async (interaction, { value }) => {
        const settings = await settingsFor(interaction);
        const page = (Object.keys(pages) as Page[]).find((name) => name === value);
        const hasLinks = services.publicUrl !== undefined;
        const form = () =>
          page === undefined ? routesView(settings, routeId) : settingsForm(page, settings, hasLinks);
        await openOnTop(interaction, page === 'requests' && settings.requests ? requestsOnView() : form());
      },
      'settings.route-new': async (interaction) => {
        await settingsFor(interaction);
        await openOnTop(interaction, routeForm());
      },
      'settings.route-remove': async (interaction, { value }) => {
        const settings = await removeRoute(services, interaction.actor, ({ from }) => routeId(from) === value);
        await interaction.open(routesView(settings, routeId, 'Route removed.'));
        await showBelow(interaction, overviewView(settings));
      },
    },
    forms: {
      ...Object.fromEntries(
        (Object.keys(pages) as Page[]).map((page) => [`settings.${page}`, formRouteOf(services, page)]),
      ),
      'settings.route': {
        submit: (interaction, filled) => submitRoute(services, interaction, filled),
        after: async (interaction) => {
          const settings = await settingsFor(interaction);
          await showBelow(interaction, routesView(settings, routeId, 'Route added.'), overviewView(settings));
        },
      },
    },
  };
}

/** Opens a view on top of the current modal, so that Back or Cancel returns to that; on its own if there is none. */
export function openOnTop(interaction: Interaction, view: ModalView): Promise<unknown> {
  return interaction.view === undefined ? interaction.open(view) : interaction.push(view);
}

/** The answer that closes a saved form; its `after` updates the modal below. Without one below, shows `instead`. */
export function savedAnswer({ view }: Interaction, instead: ModalView, done: string): FormAnswer {
  const isOnTop = view !== undefined && view.root_view_id !== view.id;
  // A form that was opened from Home or a message has no modal below.
  return isOnTop ? { done, after: '' } : { view: instead, done, after: '' };
}

/** Updates the modal below the closed one. If there is another one below that, it shows the `overview`. */
export async function showBelow({ client, view }: Interaction, below: ModalView, overview?: ModalView): Promise<void> {
  const { id, previous_view_id: previous, root_view_id: root } = view ?? {};
  if (typeof previous === 'string') await client.views.update({ view_id: previous, view: below });
  const hasOther = typeof root === 'string' && root !== id && root !== previous;
  if (hasOther && overview !== undefined) await client.views.update({ view_id: root, view: overview });
}

/** A short id for a route's button that doesn't reveal the sender. */
function routeId(from: string): string {
  return createHash('sha256').update(from).digest('base64url').slice(0, 22);
}

function formRouteOf(services: UiServices, page: Page): FormRoute {
  return {
    async submit(interaction, filled, metadata) {
      const { seen } = settingsMetadata.read(metadata) ?? { seen: {} };
      const errors = createFieldErrors();
      const draft = readForm[page](filled, errors);
      await checkDraft(services, interaction, draft, seen, errors);
      errors.throwIfAny();
      const confirmation = await confirmationForm(services, interaction, page, draft, seen, filled.choices(clearField));
      if (confirmation !== undefined) return { view: confirmation };
      const settings = await saveFields(services, interaction.actor, draft, seen);
      return savedAnswer(interaction, await viewBelow(services, page, settings), 'Settings saved.');
    },
    ...(page === 'people' && { entered: (interaction, filled) => showPeopleFields(services, interaction, filled) }),
    async after(interaction) {
      const { settings } = await expectAllowed(services, interaction.actor, 'view');
      // The form to turn on requests isn't opened from the overview.
      const overview = page === 'requests' ? undefined : overviewView(settings);
      await showBelow(interaction, await viewBelow(services, page, settings), overview);
      await services.refreshHome(interaction.actor);
    },
  };
}

/** What admins see after they have saved a form: the modal below it, or a view instead of it. */
async function viewBelow(services: UiServices, page: Page, settings: Settings): Promise<ModalView> {
  if (page === 'requests') return requestsOnView();
  if (page === 'policies') return policiesView(settings, await scannerInfo(services), 'Saved.');
  return overviewView(settings, 'Saved.');
}

async function showPeopleFields(services: UiServices, interaction: Interaction, filled: Filled): Promise<void> {
  const { view, client, actor } = interaction;
  if (view === undefined) return;
  const { settings } = await expectAllowed(services, actor, 'admin');
  const form = formWithBlocks(view, (blocks) => withPeopleFields(blocks, filled, settings.may));
  if (form.blocks.length !== view.blocks.length) await client.views.update({ view_id: view.id, view: form });
}

/** A form to confirm the fields that would be emptied; undefined if there are none or all are confirmed. */
async function confirmationForm(
  services: UiServices,
  interaction: Interaction,
  page: Page,
  draft: Partial<Fields>,
  seen: FieldHashes,
  confirmed: readonly string[],
): Promise<ModalView | undefined> {
  const current = await readSettings(services, interaction.actor.workspace);
  const clearing = fieldsToClear(fieldsOf(current), draft, seen);
  if (clearing.every((name) => confirmed.includes(name))) return undefined;
  return clearingForm(page, withFields(current, draft), { hasLinks: services.publicUrl !== undefined, clearing, seen });
}

async function submitRoute(services: UiServices, interaction: Interaction, filled: Filled): Promise<FormAnswer> {
  await expectAllowed(services, interaction.actor, 'admin');
  const channel = filled.channel('channel') ?? '';
  const errors = createFieldErrors();
  errors.check(() => expectSender(filled.text('from')));
  await errors.checkAsync(() => expectOwnChannel(services, interaction.actor.workspace, channel, 'channel'));
  errors.throwIfAny();
  const settings = await addRoute(services, interaction.actor, { from: filled.text('from'), channel });
  return savedAnswer(interaction, routesView(settings, routeId, 'Route added.'), 'Route added.');
}

/** Checks the fields, the people and channels in changed fields, and whether links are available. */
async function checkDraft(
  services: UiServices,
  interaction: Interaction,
  draft: Partial<Fields>,
  seen: FieldHashes,
  errors: FieldErrors,
): Promise<void> {
  const { workspace } = interaction.actor;
  const { settings } = await expectAllowed(services, interaction.actor, 'admin');
  // Without an invalid maximum, so that the default doesn't get an error because of it.
  const limit = errors.has('expiryLongest') ? { expiryLongest: undefined } : {};
  errors.check(() => withFields(settings, { ...draft, ...limit }));
  const changed = Object.fromEntries(Object.entries(draft).filter(([name, value]) => seen[name] !== hashOf(value)));
  await errors.checkAsync(() => expectPeople(services, interaction.actor, changed, (id) => nameOf(interaction, id)));
  const { inboxChannel, watchedChannels = [], delivery } = draft;
  if (inboxChannel !== undefined && seen.inboxChannel !== hashOf(inboxChannel)) {
    await errors.checkAsync(() => expectOwnChannel(services, workspace, inboxChannel, 'inboxChannel'));
  }
  errors.check(() => expectWorkChannels(settings, draft));
  if (seen.watchedChannels !== hashOf(watchedChannels)) {
    for (const channel of watchedChannels) {
      await errors.checkAsync(() => expectOwnChannel(services, workspace, channel, 'watchedChannels'));
    }
  }
  if (delivery === 'link' && services.publicUrl === undefined) errors.add(linksUnavailable());
}

/** A person's name. Slack doesn't render mentions in the error messages of fields. */
async function nameOf({ client }: Interaction, id: string): Promise<string> {
  const { user } = await client.users.info({ user: id }).catch(() => ({ user: undefined }));
  return oneLine(user?.real_name || user?.profile?.display_name || user?.name || 'A person you chose');
}

/**
 * Throws if the bot can't post in the channel, or if other organisations can see it: files are confidential.
 *
 * @param mustBePrivate whether its members get a right, which everyone who can join would have
 */
export async function expectOwnChannel(
  { slack }: Pick<SlackServices, 'slack'>,
  workspace: string,
  channel: string,
  field: string,
  mustBePrivate = false,
): Promise<void> {
  const client = await slack.clientOf(workspace);
  const response = await client.conversations.info({ channel }).catch((error: unknown) => {
    if (platformErrorOf(error) === 'channel_not_found') return undefined;
    throw error;
  });
  const name = response?.channel?.name;
  const shownName = name === undefined ? undefined : `#${oneLine(name)}`;
  if (isSharedOutside(response?.channel)) throw channelSharedOutside(field, shownName);
  if (response?.channel?.is_archived === true) throw channelArchived(field, shownName);
  if (response?.channel?.is_member !== true) throw botNotInChannel(field, shownName);
  if (mustBePrivate && !response.channel.is_private) throw channelPublic(field, shownName);
}
