import { createHash } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { DroplineError } from '../../errors.ts';
import { isSharedOutside } from '../../slack/channels.ts';
import type { Filled } from '../../slack/form.ts';
import { type Interaction, openWhenReady } from '../../slack/interaction.ts';
import { platformErrorOf } from '../../slack/platform-errors.ts';
import type { FormAnswer, FormRoute, Routes } from '../../slack/routes.ts';
import type { SlackServices, UiServices } from '../common/ui-services.ts';
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
import { addRoute, removeRoute, saveFields } from './operations.ts';
import { expectAllowed } from './permission.ts';
import { readSettings } from './repository.ts';
import { overviewView, routesView } from './views.ts';

export function settingsRoutes(services: UiServices): Routes {
  const settingsFor = async ({ actor }: Interaction) => (await expectAllowed(services, actor, 'admin')).settings;
  const overview = async (interaction: Interaction) => overviewView(await settingsFor(interaction));

  return {
    commands: {
      settings: {
        summary: 'Change settings',
        run: (interaction) => openWhenReady(interaction, 'Settings', () => overview(interaction)),
      },
    },
    actions: {
      'settings.overview': async (interaction) => {
        await interaction.open(await overview(interaction));
      },
      'settings.open': async (interaction, { value }) => {
        const settings = await settingsFor(interaction);
        const page = (Object.keys(pages) as Page[]).find((known) => known === value);
        const hasLinks = services.publicUrl !== undefined;
        await interaction.open(
          page === undefined ? routesView(settings, routeId) : settingsForm(page, settings, hasLinks),
        );
      },
      'settings.route-new': async (interaction) => {
        await settingsFor(interaction);
        await interaction.open(routeForm());
      },
      'settings.route-remove': async (interaction, { value }) => {
        const settings = await removeRoute(services, interaction.actor, ({ from }) => routeId(from) === value);
        await interaction.open(routesView(settings, routeId, 'Route removed.'));
      },
    },
    forms: {
      ...Object.fromEntries((Object.keys(pages) as Page[]).map((page) => [`settings.${page}`, formOf(services, page)])),
      'settings.route': { submit: (interaction, filled) => submitRoute(services, interaction, filled) },
    },
  };
}

/** A short id for a route's button that doesn't reveal the sender. */
function routeId(from: string): string {
  return createHash('sha256').update(from).digest('base64url').slice(0, 22);
}

function formOf(services: UiServices, page: Page): FormRoute {
  return {
    async submit(interaction, filled, metadata) {
      const { seen } = settingsMetadata.read(metadata) ?? { seen: {} };
      const draft = readForm[page](filled);
      await expectPossible(services, interaction, draft, seen);
      const confirmation = await confirmationForm(services, interaction, page, draft, seen, filled.choices(clearField));
      if (confirmation !== undefined) return { view: confirmation };
      const settings = await saveFields(services, interaction.actor, draft, seen);
      return { view: overviewView(settings, 'Saved.'), done: 'Settings saved.' };
    },
  };
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
  const now = await readSettings(services, interaction.actor.workspace);
  const clearing = fieldsToClear(fieldsOf(now), draft, seen);
  if (clearing.every((name) => confirmed.includes(name))) return undefined;
  return clearingForm(page, withFields(now, draft), { hasLinks: services.publicUrl !== undefined, clearing, seen });
}

async function submitRoute(services: UiServices, interaction: Interaction, filled: Filled): Promise<FormAnswer> {
  await expectAllowed(services, interaction.actor, 'admin');
  const channel = filled.channel('channel') ?? '';
  await expectOwnChannel(services, interaction.actor.workspace, channel, 'channel');
  const settings = await addRoute(services, interaction.actor, { from: filled.text('from'), channel });
  return { view: routesView(settings, routeId, 'Added.'), done: 'Route added.' };
}

/** Checks new channels, and whether links are available. A channel that was already chosen isn't checked again. */
async function expectPossible(
  services: UiServices,
  interaction: Interaction,
  draft: Partial<Fields>,
  seen: FieldHashes,
): Promise<void> {
  const { workspace } = interaction.actor;
  await expectAllowed(services, interaction.actor, 'admin');
  const { inboxChannel, watchedChannels = [], delivery } = draft;
  if (inboxChannel !== undefined && seen.inboxChannel !== hashOf(inboxChannel)) {
    await expectOwnChannel(services, workspace, inboxChannel, 'inboxChannel');
  }
  if (seen.watchedChannels !== hashOf(watchedChannels)) {
    for (const channel of watchedChannels) await expectOwnChannel(services, workspace, channel, 'watchedChannels');
  }
  if (delivery === 'link' && services.publicUrl === undefined) {
    throw new DroplineError('invalid', "Links aren't available, because Dropline has no public address.", {
      field: 'delivery',
    });
  }
}

/** Throws if the bot can't post in the channel, or if other organisations can see it: files are confidential. */
export async function expectOwnChannel(
  { slack }: Pick<SlackServices, 'slack'>,
  workspace: string,
  channel: string,
  field: string,
): Promise<void> {
  const refuse = (message: string) => new DroplineError('invalid', message, { field });
  const client = await slack.clientOf(workspace);
  const found = await client.conversations.info({ channel }).catch((error: unknown) => {
    if (platformErrorOf(error) === 'channel_not_found') return undefined;
    throw error;
  });
  if (isSharedOutside(found?.channel))
    throw refuse('This channel is shared with another organisation. Choose another one.');
  if (found?.channel?.is_archived === true) throw refuse('This channel is archived. Choose another one.');
  if (found?.channel?.is_member !== true)
    throw refuse("I'm not in this channel. Type /invite @dropline there, then try again.");
}
