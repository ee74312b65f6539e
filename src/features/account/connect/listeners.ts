import { createFieldErrors } from '../../../lib/errors.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, openWhenReady } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import { doneView, loadingView } from '../../../slack/views.ts';
import { connectionOf } from '../../common/connection.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import { channelFor } from '../../settings/inbox-channels.ts';
import { expectOwnChannel } from '../../settings/pages/forms.ts';
import { expectAllowed, rightsOf } from '../../settings/permission.ts';
import { readSettings, settingsSchema } from '../../settings/repository.ts';
import { removeConnectButtons } from '../install/notify.ts';
import { disconnect } from '../leave/operations.ts';
import { connectDurably } from './jobs.ts';
import { checkLogin } from './operations.ts';
import { makeKeyPage } from './page.ts';
import { connectFormMs, connectForms } from './repository.ts';
import {
  connectedText,
  connectedView,
  connectMetadata,
  connectView,
  disconnectView,
  keyPageView,
  maxCommandChars,
  notConnectedText,
} from './views.ts';

export function connectRoutes(services: ListenerServices): Routes {
  return {
    commands: {
      connect: {
        summary: 'Connect this workspace to your file service',
        run: (interaction) => openConnect(services, interaction),
      },
      disconnect: {
        summary: 'Disconnect and delete all data except the audit log',
        run: (interaction) =>
          openWhenReady(interaction, 'Disconnect', async () => {
            await expectAllowed(services, interaction.actor, 'disconnect');
            const { credentials } = await connectionOf(services, interaction.actor);
            return disconnectView(credentials.username);
          }),
      },
    },
    forms: {
      'connect.form': {
        submit: (interaction, filled, metadata) => submit(services, interaction, filled, metadata),
        after: async (interaction, next) => {
          if (next === '') await services.refreshHome(interaction.actor);
          else await services.runCommand(interaction, next);
          await removeConnectButtons(services, interaction.actor.workspace);
        },
      },
    },
    actions: {
      'connect.open': (interaction, { value }) => openConnect(services, interaction, value === '' ? undefined : value),
      'connect.continue': (interaction, { value }) => services.runCommand(interaction, value),
      'connect.disconnect': async (interaction) => {
        await disconnect(services, interaction.actor);
        await interaction.update(
          doneView(
            'Disconnect',
            "Disconnecting. Leftover uploads are removed first, then all data except the audit log is deleted. I'll message you when it's finished.",
          ),
        );
        await services.refreshHome(interaction.actor);
      },
    },
  };
}

async function openConnect(services: ListenerServices, interaction: Interaction, next?: string): Promise<void> {
  await openWhenReady(interaction, 'Connect Dropline', async () => {
    const { settings } = await expectAllowed(services, interaction.actor, 'admin');
    const { workspace, person } = interaction.actor;
    const before = await services.store.credentials.get(interaction.actor);
    const saved = await services.store.collection(connectForms).get(workspace, person);
    // Once someone has connected, an older draft is done with.
    const draft = saved !== undefined && saved.savedAt > (before?.connectedAt ?? 0) ? saved.draft : undefined;
    return connectView({
      baseUrl: draft?.baseUrl ?? before?.baseUrl,
      username: draft?.username ?? before?.username,
      inboxChannel: draft?.inboxChannel ?? channelFor(settings)?.channel,
      unit: draft?.expiryUnit ?? (before === undefined ? undefined : settings.expiryUnit),
      next,
      hasPage: services.publicUrl !== undefined,
    });
  });
}

/**
 * Shows an admin whose command was interrupted the connect form, and continues the command afterwards. Tells others who
 * can connect. Resolves with false, without showing anything, if the workspace is being disconnected.
 */
export async function offerConnect(
  services: ListenerServices,
  interaction: Interaction,
  interrupted: string | undefined,
): Promise<boolean> {
  // One of several accounts was disconnected.
  if (interaction.actor.account !== undefined) return false;
  const { isAdmin } = await rightsOf(services, interaction.actor);
  // Not connected, but with credentials: the workspace is being disconnected.
  const isDisconnecting = (await services.store.credentials.get(interaction.actor)) !== undefined;
  if (isDisconnecting) return false;
  const next = interrupted !== undefined && interrupted.length <= maxCommandChars ? interrupted : undefined;
  if (isAdmin && interrupted !== undefined) await openConnect(services, interaction, next);
  else await interaction.showError(notConnectedText(isAdmin));
  return true;
}

async function submit(
  services: ListenerServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  await expectAllowed(services, interaction.actor, 'admin');
  const { next } = connectMetadata.read(metadata) ?? {};
  const draft = await readConnectForm(services, interaction, filled);
  const { apiKey, ...entered } = draft;
  const { workspace, person } = interaction.actor;
  const saved = { draft: entered, savedAt: Date.now() };
  await services.store.collection(connectForms).set(workspace, saved, { name: person, ttlMs: connectFormMs });
  if (apiKey === '' && services.publicUrl !== undefined) {
    const { url, code } = await makeKeyPage(services, interaction.actor, entered, { next, view: interaction.view?.id });
    return { view: keyPageView(url, { code: services.slack.signIn === undefined ? code : undefined, next }) };
  }
  await connectDurably(services, interaction.actor, draft);
  const done = connectedText(draft.username);
  if (next === undefined) return { view: connectedView(draft.username), done, after: '' };
  return { view: loadingView('Connected'), done, after: next };
}

async function readConnectForm(services: ListenerServices, interaction: Interaction, filled: Filled) {
  const settings = await readSettings(services, interaction.actor);
  const expiryUnit = settingsSchema.shape.expiryUnit
    .catch(settings.expiryUnit)
    .parse(filled.choice('expiryUnit') ?? settings.expiryUnit);
  const errors = createFieldErrors();
  const [baseUrl, username] = [filled.text('baseUrl'), filled.text('username')];
  checkLogin(baseUrl, username, errors);
  const inboxChannel = filled.channel('inboxChannel');
  if (inboxChannel !== undefined) {
    const { workspace } = interaction.actor;
    await errors.checkAsync(() => expectOwnChannel(services, workspace, inboxChannel, 'inboxChannel'));
  }
  errors.throwIfAny();
  return {
    baseUrl,
    username,
    apiKey: filled.text('apiKey'),
    inboxChannel,
    expiryUnit,
  };
}
