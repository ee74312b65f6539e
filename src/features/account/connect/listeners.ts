import type { ModalView } from '@slack/types';
import { createFieldErrors } from '../../../lib/errors.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, openWhenReady } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import { doneView, loadingView } from '../../../slack/views.ts';
import { connectionOf } from '../../common/connection.ts';
import { accountLeft } from '../../common/errors.ts';
import type { Actor } from '../../common/services.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import { channelFor, channelIds } from '../../settings/inbox-channels.ts';
import { expectOwnChannel } from '../../settings/pages/forms.ts';
import { expectAllowed, rightsOf } from '../../settings/permission.ts';
import { readDeskSettings, readSettings, settingsSchema } from '../../settings/repository.ts';
import { channelMissing, channelOfOther } from '../errors.ts';
import { removeConnectButtons } from '../install/notify.ts';
import { disconnect } from '../leave/operations.ts';
import { connectDurably } from './jobs.ts';
import { checkLogin, expectDeskName } from './operations.ts';
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

/** @param openDesks shows the connected accounts. It is used where there are several. */
export function connectRoutes(
  services: ListenerServices,
  openDesks: (interaction: Interaction) => Promise<void>,
): Routes {
  const openConnect = (interaction: Interaction, next?: string) =>
    interaction.actor.account === undefined ? openForm(services, interaction, next) : openDesks(interaction);
  return {
    commands: {
      connect: {
        summary: 'Connect this workspace to your file service',
        run: (interaction) => openConnect(interaction),
      },
      disconnect: {
        summary: 'Disconnect and delete all data except the audit log',
        run: async (interaction) => {
          if (interaction.actor.account !== undefined) return openDesks(interaction);
          await openWhenReady(interaction, 'Disconnect', async () => {
            await expectAllowed(services, interaction.actor, 'disconnect');
            const { credentials } = await connectionOf(services, interaction.actor);
            return disconnectView(credentials.username);
          });
        },
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
      'connect.open': (interaction, { value }) =>
        interaction.view?.callback_id === undefined || interaction.desk === undefined
          ? openConnect(interaction, value === '' ? undefined : value)
          : openForm(services, interaction, value === '' ? undefined : value),
      'connect.continue': (interaction, { value }) => services.runCommand(interaction, value),
      'connect.disconnect': async (interaction, { value: key }) => {
        const { actor } = interaction;
        const desk = key === '' ? actor : await services.store.credentials.deskWith({ ...actor, desk: key });
        if (desk === undefined) throw accountLeft();
        await disconnect(services, { ...actor, ...desk });
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

const openForm = (services: ListenerServices, interaction: Interaction, next?: string) =>
  openWhenReady(interaction, 'Connect Dropline', () => connectForm(services, interaction, { next }));

/** The form for the workspace's account or the chosen one, or for another one. */
export async function connectForm(
  services: ListenerServices,
  { actor }: Interaction,
  { next, isAnother = false }: { next?: string | undefined; isAnother?: boolean } = {},
): Promise<ModalView> {
  const { settings } = await expectAllowed(services, actor, isAnother ? 'desks' : 'admin');
  const { workspace, person } = actor;
  const connected = await services.store.credentials.list(workspace);
  const before = isAnother ? undefined : await services.store.credentials.get(actor);
  const saved = await services.store.collection(connectForms).get(workspace, person);
  // Once someone has connected, an older draft is done with.
  const connectedAt = Math.max(0, ...[...connected.values()].map((one) => one.connectedAt));
  const isCurrent = saved !== undefined && saved.savedAt > connectedAt;
  const isSame = isAnother
    ? saved?.draft.desk !== undefined
    : saved?.draft.desk === undefined && saved?.draft.replaces === actor.account;
  const draft = isCurrent && isSame ? saved.draft : undefined;
  return connectView({
    baseUrl: draft?.baseUrl ?? before?.baseUrl,
    username: draft?.username ?? before?.username,
    inboxChannel: draft?.inboxChannel ?? (isAnother ? undefined : channelFor(settings)?.channel),
    unit: draft?.expiryUnit ?? (before === undefined ? undefined : settings.expiryUnit),
    next,
    hasPage: services.publicUrl !== undefined,
    isAnother,
    desk: draft?.desk,
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
  if (isAdmin && interrupted !== undefined) await openForm(services, interaction, next);
  else await interaction.showError(notConnectedText(isAdmin));
  return true;
}

async function submit(
  services: ListenerServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  const { next, isAnother = false } = connectMetadata.read(metadata) ?? {};
  await expectAllowed(services, interaction.actor, isAnother ? 'desks' : 'admin');
  const draft = await readConnectForm(services, interaction, filled, isAnother);
  const { apiKey, ...entered } = draft;
  const { workspace, person } = interaction.actor;
  const saved = { draft: entered, savedAt: Date.now() };
  await services.store.collection(connectForms).set(workspace, saved, { name: person, ttlMs: connectFormMs });
  if (apiKey === '' && services.publicUrl !== undefined) {
    const { url, code } = await makeKeyPage(services, interaction.actor, entered, { next, view: interaction.view?.id });
    return {
      view: keyPageView(url, { code: services.slack.signIn === undefined ? code : undefined, next, isAnother }),
    };
  }
  await connectDurably(services, interaction.actor, draft);
  const done = connectedText(draft.username);
  if (next === undefined) return { view: connectedView(draft.username), done, after: '' };
  return { view: loadingView('Connected'), done, after: next };
}

async function readConnectForm(
  services: ListenerServices,
  interaction: Interaction,
  filled: Filled,
  isAnother: boolean,
) {
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
  const desk = isAnother ? (errors.check(() => expectDeskName(filled.text('desk'))) ?? '') : undefined;
  if (isAnother) await errors.checkAsync(() => expectOwnDeskChannel(services, interaction.actor, inboxChannel));
  errors.throwIfAny();
  return {
    desk,
    replaces: isAnother ? undefined : interaction.actor.account,
    baseUrl,
    username,
    apiKey: filled.text('apiKey'),
    inboxChannel,
    expiryUnit,
  };
}

/** Rejects unless a channel was chosen that is no inbox channel of another desk. */
async function expectOwnDeskChannel(
  services: ListenerServices,
  { workspace }: Actor,
  channel: string | undefined,
): Promise<void> {
  if (channel === undefined) throw channelMissing();
  const others = await readDeskSettings(services, workspace);
  if ([...others.values()].some((settings) => channelIds(settings).includes(channel))) throw channelOfOther();
}
