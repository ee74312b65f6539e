import type { InboxItem } from '../../common/services.ts';
import { routeFor } from '../../settings/fields.ts';
import type { Settings } from '../../settings/repository.ts';

/** Whether Take and Done are on in the channel of the item's post or, without a post, in the channel for its sender. */
export function hasWork(
  { workChannels, routes, inboxChannel }: Pick<Settings, 'workChannels' | 'routes' | 'inboxChannel'>,
  { post, sender }: InboxItem,
  postedIn = post?.channel,
): boolean {
  const channel = postedIn ?? routeFor(routes, sender) ?? inboxChannel;
  return channel !== undefined && workChannels.includes(channel);
}

/**
 * The item as views show it: `work` is set only if Take and Done are on.
 *
 * @param postedIn the channel, if the post isn't recorded yet
 */
export function withWork(settings: Settings, item: InboxItem, postedIn?: string): InboxItem {
  return { ...item, work: hasWork(settings, item, postedIn) ? (item.work ?? {}) : undefined };
}

/** Whether malware was found in every file, so that taking the item is pointless. */
export function areAllFilesInfected({ files, scans = [] }: InboxItem): boolean {
  const infected = new Set(scans.filter(({ state }) => state === 'infected').map(({ file }) => file));
  return files.length > 0 && files.every((file) => infected.has(file));
}
