import type { InboxItem } from '../../common/services.ts';
import type { Settings } from '../../settings/repository.ts';
import { channelOf } from '../items/operations.ts';

/** Whether Take and Done are on in the item's inbox channel. */
export const hasWork = (settings: Pick<Settings, 'inboxChannels'>, item: InboxItem): boolean =>
  channelOf(settings, item)?.takeAndDone === true;

/** Whether Take and Done are on in any inbox channel. */
export const hasWorkAnywhere = ({ inboxChannels }: Pick<Settings, 'inboxChannels'>): boolean =>
  inboxChannels.some(({ takeAndDone }) => takeAndDone);

/** The item as views show it: `work` is set only if Take and Done are on. */
export function withWork(settings: Settings, item: InboxItem): InboxItem {
  return { ...item, work: hasWork(settings, item) ? (item.work ?? {}) : undefined };
}

/** Whether malware was found in every file, so that taking the item is pointless. */
export function areAllFilesInfected({ files, scans = [] }: InboxItem): boolean {
  const infected = new Set(scans.filter(({ state }) => state === 'infected').map(({ file }) => file));
  return files.length > 0 && files.every((file) => infected.has(file));
}
