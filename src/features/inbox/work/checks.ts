import type { InboxItem } from '../../common/services.ts';
import type { Settings } from '../../settings/repository.ts';
import { routeFor } from '../announce/operations.ts';
import type { KnownItem } from '../items/repository.ts';

/** Whether Take and Done are on in the channel of the item's post, or in its sender's channel if it has no own post. */
export function hasWork(
  { workChannels, routes, inboxChannel }: Pick<Settings, 'workChannels' | 'routes' | 'inboxChannel'>,
  { item, location }: Pick<KnownItem, 'item' | 'location'>,
): boolean {
  const channel = location?.channel ?? routeFor(routes, item.sender) ?? inboxChannel;
  return channel !== undefined && workChannels.includes(channel);
}

/** The item as views show it: `work` is set if Take and Done are on, and only then. */
export function withWork(settings: Settings, known: Pick<KnownItem, 'item' | 'location'>): InboxItem {
  return { ...known.item, work: hasWork(settings, known) ? (known.item.work ?? {}) : undefined };
}

/** Whether malware was found in every file, so that taking the item is pointless. */
export function isInfected({ files, scans = [] }: InboxItem): boolean {
  const infected = new Set(scans.filter(({ state }) => state === 'infected').map(({ file }) => file));
  return files.length > 0 && files.every((file) => infected.has(file));
}
