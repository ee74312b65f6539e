import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { createFieldErrors, type FieldErrors } from '../../../lib/errors.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, openOrPushWhenReady, openWhenReady } from '../../../slack/interaction.ts';
import { formWithBlocks } from '../../../slack/rebuilt-form.ts';
import type { FormRoute, Routes } from '../../../slack/routes.ts';
import { oneLine } from '../../../slack/words.ts';
import { connectionOf } from '../../common/connection.ts';
import type { UiServices } from '../../common/ui-services.ts';
import { linksUnavailable } from '../errors.ts';
import { type FieldHashes, type Fields, fieldsToClear, hashOf, withFields } from '../fields.ts';
import { expectPeople, followChannelId, saveFields } from '../operations.ts';
import { expectAllowed } from '../permission.ts';
import { scannerInfo } from '../policies/repository.ts';
import { policiesView } from '../policies/views.ts';
import { readSettings, type Settings } from '../repository.ts';
import { overviewView, requestsOnView } from '../views.ts';
import { clearField, clearingForm, type Page, pages, readForm, settingsForm, settingsMetadata } from './form.ts';
import { closingAnswer, expectOwnChannel, updateModalsBelow } from './forms.ts';
import { withPeopleFields } from './people.ts';

const changedId = z.object({ old_channel_id: z.string().min(1), new_channel_id: z.string().min(1) });

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
      'settings.policies': (interaction) =>
        openOrPushWhenReady(interaction, 'Policies', async () =>
          policiesView(await settingsFor(interaction), await scannerInfo(services)),
        ),
      'settings.open': (interaction, { value }) => {
        const page = (Object.keys(pages) as Page[]).find((name) => name === value);
        return openOrPushWhenReady(interaction, page === undefined ? 'Settings' : pages[page].title, async () => {
          const settings = await settingsFor(interaction);
          if (page === undefined) return overviewView(settings);
          if (page === 'requests' && settings.requests) return requestsOnView();
          return settingsForm(page, settings, services.publicUrl !== undefined);
        });
      },
    },
    events: {
      channel_id_changed: ({ actor }, event) => {
        const { old_channel_id: from, new_channel_id: to } = changedId.parse(event);
        return followChannelId(services, actor.workspace, from, to);
      },
    },
    forms: {
      ...Object.fromEntries(
        (Object.keys(pages) as Page[]).map((page) => [`settings.${page}`, formRouteOf(services, page)]),
      ),
    },
  };
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
      return closingAnswer(interaction, await viewBelow(services, page, settings), 'Settings saved.');
    },
    ...(page === 'people' && { entered: (interaction, filled) => showPeopleFields(services, interaction, filled) }),
    async after(interaction) {
      const { settings } = await expectAllowed(services, interaction.actor, 'view');
      // The form to turn on requests isn't opened from the overview.
      const overview = page === 'requests' ? undefined : overviewView(settings);
      await updateModalsBelow(interaction, await viewBelow(services, page, settings), overview);
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
  const form = formWithBlocks(view, (blocks) => withPeopleFields(blocks, filled, settings));
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
  const clearing = fieldsToClear(current, draft, seen);
  if (clearing.every((name) => confirmed.includes(name))) return undefined;
  return clearingForm(page, withFields(current, draft), { hasLinks: services.publicUrl !== undefined, clearing, seen });
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
  const changed: Partial<Fields> = Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => seen[name] !== hashOf(value)),
  );
  await errors.checkAsync(() => expectPeople(services, interaction.actor, changed, (id) => nameOf(interaction, id)));
  const { watchedChannels = [] } = changed;
  for (const channel of watchedChannels)
    await errors.checkAsync(() => expectOwnChannel(services, workspace, channel, 'watchedChannels'));
  if (draft.delivery === 'link' && services.publicUrl === undefined) errors.add(linksUnavailable());
}

/** A person's name. Slack doesn't render mentions in the error messages of fields. */
async function nameOf({ client }: Interaction, id: string): Promise<string> {
  const { user } = await client.users.info({ user: id }).catch(() => ({ user: undefined }));
  return oneLine(user?.real_name || user?.profile?.display_name || user?.name || 'A person you chose');
}
