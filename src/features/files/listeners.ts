import type pg from 'pg';
import { isExchangeError } from '../../exchange/index.ts';
import { type DroplineError, isDroplineError } from '../../lib/errors.ts';
import { type Interaction, openWhenReady } from '../../slack/interaction.ts';
import { forwardedFiles, type MessageFile } from '../../slack/message-files.ts';
import type { Routes, SlackEvent } from '../../slack/routes.ts';
import type { Actor } from '../common/services.ts';
import type { ListenerServices } from '../common/slack-services.ts';
import { withDeskSwitch } from '../settings/desks/fields.ts';
import { desksOf } from '../settings/membership.ts';
import { expectAllowed } from '../settings/permission.ts';
import { readSettings } from '../settings/repository.ts';
import { inaccessibleFile } from '../staging/errors.ts';
import { notifySharedLater, removeStaleButtons } from '../staging/notify.ts';
import { readStaged, stageFiles, unstageFiles } from '../staging/operations.ts';
import { deletedFile, forwardedRefused } from './errors.ts';
import { readPlanned, readUploaded, removeUploaded } from './operations.ts';
import { filesView } from './views.ts';

export function filesRoutes(services: ListenerServices): Routes {
  const show = (interaction: Interaction) =>
    openWhenReady(interaction, 'Files', () => createFilesView(services, interaction));
  return {
    commands: { files: { summary: 'View files ready to send', run: show } },
    actions: {
      'files.show': show,
      'files.unstage': async (interaction, { value }) => {
        await unstageFiles(services, interaction.actor, [value]);
        await interaction.update(await createFilesView(services, interaction));
        await removeStaleButtons(services, interaction.actor);
      },
      'files.remove': async (interaction, { value }) => {
        await removeUploaded(services, interaction.actor, [value]);
        await interaction.update(await createFilesView(services, interaction));
      },
    },
    events: { file_shared: (interaction, event) => handleSharedFile(services, interaction, event) },
  };
}

const createFilesView = async (services: ListenerServices, interaction: Interaction) =>
  withDeskSwitch(services, interaction.actor, await filesViewOf(services, interaction), 'files');

async function filesViewOf(services: ListenerServices, interaction: Interaction) {
  const { isAdmin } = await expectAllowed(services, interaction.actor, 'send');
  const staged = (await readStaged(services, interaction.actor)).map(({ id, file, name, problem, isTicked }) => ({
    id,
    isTicked,
    name: file?.name ?? name,
    size: file?.size,
    problem,
  }));
  const shared = { staged, isAdmin, planned: await readPlanned(services, interaction.actor) };
  try {
    return filesView({ ...shared, account: await readUploaded(services, interaction.actor), problem: undefined });
  } catch (error) {
    if (!isExchangeError(error)) throw error;
    return filesView({ ...shared, account: undefined, problem: error.message });
  }
}

/** Stages a file from a direct message with the bot. For a file in a watched channel, offers to send it. */
async function handleSharedFile(
  services: ListenerServices,
  interaction: Interaction,
  event: SlackEvent,
): Promise<void> {
  const { file_id: id, channel_id: channel } = event;
  if (typeof id !== 'string' || typeof channel !== 'string') return;
  const { actor } = interaction;
  const isDirect = channel.startsWith('D');
  if (!isDirect && !(await isWatched(services, actor, channel))) return;
  try {
    await expectAllowed(services, actor, 'send');
    await stageOrOffer(services, interaction, channel, id, deletedFile());
  } catch (error) {
    // A file in a channel is mainly for its members, so the person gets no error if it can't be sent.
    if (!isDirect && isDroplineError(error, 'not-allowed', 'invalid', 'not-found')) return;
    throw error;
  }
}

/** Whether the person's account, or one of their desks, watches the channel. */
async function isWatched(services: ListenerServices, actor: Actor, channel: string): Promise<boolean> {
  const desks = (await desksOf(services, actor)) ?? [actor];
  const { workspace } = actor;
  const settings = await Promise.all(desks.map(({ account }) => readSettings(services, { workspace, account })));
  return settings.some(({ watchedChannels }) => watchedChannels.includes(channel));
}

async function stageOrOffer(
  services: ListenerServices,
  { actor }: Interaction,
  channel: string,
  id: string,
  goneError: DroplineError,
): Promise<void> {
  // Files that can't be sent (a link to another site, for example) aren't staged.
  const file = await services.sources.inspect(actor.workspace, id);
  if (file === undefined) throw goneError;
  const notifyLater = (client?: pg.ClientBase) => notifySharedLater(services, actor, channel, id, client);
  if (channel.startsWith('D')) await stageFiles(services, actor, [id], [{ id, ...file }], notifyLater);
  else await notifyLater();
}

/** Stages the files of messages that a person forwards to the bot. Slack doesn't announce them as shared. */
export async function stageForwarded(
  services: ListenerServices,
  interaction: Interaction,
  event: SlackEvent,
): Promise<void> {
  await expectAllowed(services, interaction.actor, 'send');
  const stage = ({ id, name }: MessageFile) =>
    stageOrOffer(services, interaction, String(event.channel), id, inaccessibleFile(name)).then(
      () => [],
      (error: unknown) => {
        if (!isDroplineError(error)) throw error;
        return [error.message];
      },
    );
  const problems = await Promise.all(forwardedFiles(event).map(stage));
  if (problems.flat().length > 0) throw forwardedRefused([...new Set(problems.flat())]);
}
