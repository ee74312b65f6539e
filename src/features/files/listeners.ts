import { isDroplineError } from '../../errors.ts';
import { isExchangeError } from '../../exchange/index.ts';
import type { Routes, SlackEvent } from '../../slack/routes.ts';
import { openWhenReady, type Visit } from '../../slack/visit.ts';
import { expectAllowed } from '../settings/permission.ts';
import { readSettings } from '../settings/stored.ts';
import type { UiServices } from '../ui-services.ts';
import { addToTray, readTray, readUploaded, removeFromTray, removeUploaded } from './operations.ts';
import { tellOfTray } from './tell.ts';
import { filesView } from './views.ts';

export function filesRoutes(services: UiServices): Routes {
  const show = (visit: Visit) => openWhenReady(visit, 'Files', () => filesOf(services, visit));
  return {
    commands: { files: { summary: 'shows the files you put aside, and what lies on the service', run: show } },
    actions: {
      'files.show': show,
      'files.out': async (visit, { value }) => {
        await removeFromTray(services, visit.actor, [value]);
        await visit.open(await filesOf(services, visit));
      },
      'files.remove': async (visit, { value }) => {
        await removeUploaded(services, visit.actor, [value]);
        await visit.open(await filesOf(services, visit));
      },
    },
    events: { file_shared: (visit, event) => takeFile(services, visit, event) },
  };
}

async function filesOf(services: UiServices, visit: Visit) {
  const { isAdmin } = await expectAllowed(services, visit.actor, 'send');
  const tray = (await readTray(services, visit.actor)).map(({ id, file, name, problem }) => ({
    id,
    name: file?.name ?? name,
    size: file?.size,
    problem,
  }));
  try {
    return filesView({ tray, account: await readUploaded(services, visit.actor), problem: undefined, isAdmin });
  } catch (error) {
    if (!isExchangeError(error)) throw error;
    return filesView({ tray, account: undefined, problem: error.message, isAdmin });
  }
}

/** A file was shared with the bot: in a direct message, or in a channel where an admin wants it so. */
async function takeFile(services: UiServices, visit: Visit, event: SlackEvent): Promise<void> {
  const { file_id: file, channel_id: channel } = event;
  if (typeof file !== 'string' || typeof channel !== 'string') return;
  const isDirect = channel.startsWith('D');
  const { watchedChannels } = await readSettings(services, visit.actor.workspace);
  if (!isDirect && !watchedChannels.includes(channel)) return;
  try {
    await expectAllowed(services, visit.actor, 'send');
    // What cannot be sent, such as a link to another site, is not put aside.
    const looked = await services.sources.look(visit.actor.workspace, file);
    await addToTray(services, visit.actor, [file], looked === undefined ? [] : [{ id: file, ...looked }]);
  } catch (error) {
    // In a channel nobody asked: whoever may not send, shares a link or has put enough aside has just shared it with others.
    if (!isDirect && isDroplineError(error, 'not-allowed', 'invalid')) return;
    throw error;
  }
  await tellOfTray(services, visit.actor, channel, file);
}
