import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { createFieldErrors, type FieldErrors } from '../../../lib/errors.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, openOrPushWhenReady, openWhenReady, pushWhenReady } from '../../../slack/interaction.ts';
import { formWithBlocks } from '../../../slack/rebuilt-form.ts';
import type { FormAnswer, FormRoute, Routes } from '../../../slack/routes.ts';
import { oneLine } from '../../../slack/words.ts';
import { connectionOf } from '../../common/connection.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import { type Draft, hashOf, type SeenHashes, turnedOff } from '../changes.ts';
import { draftExpired, linksUnavailable } from '../errors.ts';
import { expectPeople, followChannelId, removePerson, saveDraft, validateSettings } from '../operations.ts';
import { expectAllowed } from '../permission.ts';
import { scannerInfo } from '../policies/repository.ts';
import {
  type EnteredValues,
  namedIn,
  peopleSettings,
  type Settings,
  settingsDraftMs,
  settingsDrafts,
} from '../repository.ts';
import { channelsFieldOf, type Page, pageNames, pages } from '../table/definitions.ts';
import { isChannel } from '../table/phrases.ts';
import { requestsOnView } from '../views.ts';
import {
  draftOf,
  readForm,
  requestsForm,
  settingsForm,
  settingsMetadata,
  turnOffMetadata,
  turnOffView,
} from './form.ts';
import { closingAnswer, expectOwnChannel, updateModalsBelow } from './forms.ts';
import { overviewOf, peopleView } from './people.ts';
import { withPeopleFields } from './permissions.ts';

const changedId = z.object({ old_channel_id: z.string().min(1), new_channel_id: z.string().min(1) });

export function settingsRoutes(services: ListenerServices): Routes {
  const settingsFor = async ({ actor }: Interaction) => {
    const { settings } = await expectAllowed(services, actor, 'admin');
    // Most settings belong to the account: without one, the admin is asked to connect first.
    await connectionOf(services, actor);
    return settings;
  };
  return {
    commands: {
      settings: {
        summary: 'Change settings',
        run: (interaction) =>
          openWhenReady(interaction, 'Settings', async () =>
            overviewOf(services, interaction.actor, await settingsFor(interaction)),
          ),
      },
    },
    actions: {
      'settings.open': (interaction, { value }) => {
        const page = pageNames.find((name) => name === value);
        return openOrPushWhenReady(interaction, page === undefined ? 'Settings' : pages[page].title, async () => {
          const settings = await settingsFor(interaction);
          if (value === 'requests') return settings.requests ? requestsOnView() : requestsForm();
          if (page === undefined) return overviewOf(services, interaction.actor, settings);
          const hasLinks = services.publicUrl !== undefined;
          return settingsForm(page, settings, { hasLinks, scanner: await scannerInfo(services) });
        });
      },
      'settings.rights': (interaction) =>
        pushWhenReady(interaction, 'People', () => peopleView(services, interaction.actor)),
      'settings.person': async (interaction, { value }) => {
        await interaction.update(await peopleView(services, interaction.actor, value));
      },
      'settings.remove-person': async (interaction, { value }) => {
        await interaction.openLoading('Settings');
        const settings = await removePerson(services, interaction.actor, value);
        await interaction.update(await overviewOf(services, interaction.actor, settings, savedText));
      },
    },
    events: {
      channel_id_changed: ({ actor }, event) => {
        const { old_channel_id: from, new_channel_id: to } = changedId.parse(event);
        return followChannelId(services, actor.workspace, from, to);
      },
    },
    forms: {
      ...Object.fromEntries(pageNames.map((page) => [`settings.${page}`, pageRoute(services, page)])),
      'settings.turn-off': {
        async submit({ actor, ...interaction }, _, metadata) {
          await expectAllowed(services, actor, 'admin');
          const { draft: id } = turnOffMetadata.read(metadata) ?? {};
          const stored = await services.store.collection(settingsDrafts).get(actor.workspace, actor.person);
          if (stored === undefined || stored.id !== id) throw draftExpired();
          const { entered, seen } = stored;
          return saved(services, { actor, ...interaction }, draftOf(entered), seen);
        },
        after: (interaction) => updateBelow(services, interaction),
      },
      'settings.requests': {
        async submit(interaction) {
          await saveDraft(services, interaction.actor, { draft: { requests: true } });
          return closingAnswer(interaction, requestsOnView(), 'Settings saved.');
        },
        after: (interaction) => updateBelow(services, interaction, requestsOnView),
      },
    },
  };
}

const savedText = 'Saved.';

async function updateBelow(
  services: ListenerServices,
  interaction: Interaction,
  below?: (settings: Settings) => ModalView,
): Promise<void> {
  const { settings } = await expectAllowed(services, interaction.actor, 'view');
  await updateModalsBelow(
    interaction,
    below?.(settings) ?? (await overviewOf(services, interaction.actor, settings, savedText)),
  );
  await services.refreshHome(interaction.actor);
}

async function saved(
  services: ListenerServices,
  interaction: Interaction,
  draft: Draft,
  seen: SeenHashes,
): Promise<FormAnswer> {
  const settings = await saveDraft(services, interaction.actor, { draft, seen });
  return closingAnswer(
    interaction,
    await overviewOf(services, interaction.actor, settings, savedText),
    'Settings saved.',
  );
}

function pageRoute(services: ListenerServices, page: Page): FormRoute {
  return {
    async submit(interaction, filled, metadata) {
      const { settings } = await expectAllowed(services, interaction.actor, 'admin');
      const { seen } = settingsMetadata.read(metadata) ?? { seen: {} };
      const errors = createFieldErrors();
      const entered = readForm(page, filled, errors);
      const draft = draftOf(entered);
      await checkDraft(services, interaction, settings, draft, seen, errors);
      errors.throwIfAny();
      const rules = turnedOff(settings, draft, seen);
      if (rules.length === 0) return saved(services, interaction, draft, seen);
      return { view: turnOffView(rules, await storeDraft(services, interaction, entered, seen)) };
    },
    ...(page === 'people' && { entered: (interaction, filled) => showPeopleFields(services, interaction, filled) }),
    after: (interaction) => updateBelow(services, interaction),
  };
}

/** Stores what was entered until it is confirmed. A form could not hold it: Slack limits its metadata. */
async function storeDraft(
  { store }: ListenerServices,
  { actor: { workspace, person } }: Interaction,
  entered: EnteredValues,
  seen: SeenHashes,
): Promise<string> {
  const id = randomUUID();
  const draft = { id, entered: entered as Record<string, string | string[]>, seen };
  await store.collection(settingsDrafts).set(workspace, draft, { name: person, ttlMs: settingsDraftMs });
  return id;
}

async function showPeopleFields(services: ListenerServices, interaction: Interaction, filled: Filled): Promise<void> {
  const { view, client, actor, stamped } = interaction;
  if (view === undefined) return;
  const { settings } = await expectAllowed(services, actor, 'admin');
  const form = formWithBlocks(view, (blocks) => withPeopleFields(blocks, filled, settings));
  if (form.blocks.length !== view.blocks.length) await client.views.update({ view_id: view.id, view: stamped(form) });
}

/** Checks the values, the people and channels in changed fields, and whether links are available. */
async function checkDraft(
  services: ListenerServices,
  interaction: Interaction,
  settings: Settings,
  draft: Draft,
  seen: SeenHashes,
  errors: FieldErrors,
): Promise<void> {
  const { workspace } = interaction.actor;
  errors.check(() => validateSettings({ ...settings, ...draft }));
  const changed: Draft = Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => seen[name] !== hashOf(value)),
  );
  await errors.checkAsync(() => expectPeople(services, interaction.actor, changed, (id) => nameOf(interaction, id)));
  const { watchedChannels = [] } = changed;
  for (const channel of watchedChannels)
    await errors.checkAsync(() => expectOwnChannel(services, workspace, channel, 'watchedChannels'));
  for (const name of peopleSettings) {
    const added = namedIn(changed, name).filter((id) => isChannel(id) && !namedIn(settings, name).includes(id));
    for (const channel of added)
      await errors.checkAsync(() => expectOwnChannel(services, workspace, channel, channelsFieldOf(name), true));
  }
  if (changed.delivery === 'link' && services.publicUrl === undefined) errors.add(linksUnavailable());
}

/** A person's name. Slack doesn't render mentions in the error messages of fields. */
async function nameOf({ client }: Interaction, id: string): Promise<string> {
  const { user } = await client.users.info({ user: id }).catch(() => ({ user: undefined }));
  return oneLine(user?.real_name || user?.profile?.display_name || user?.name || 'A person you chose');
}
