import { createHash } from 'node:crypto';
import { createFieldErrors } from '../../lib/errors.ts';
import { defaultTooLong, extensionMissing, extensionsUnused, invalidSetting, settingChanged } from './errors.ts';
import { type Digest, type FileRules, type Settings, settingsSchema } from './repository.ts';

/** Approval has its own form and field names. */
export type Fields = Omit<Settings, 'approval'>;
export type FieldName = keyof Fields;

/** Names of the fields in error messages and audit entries. */
export const titles: Record<FieldName, string> = {
  inboxChannel: 'The channel for incoming files',
  routes: 'Routes',
  digests: 'Digests',
  delivery: 'How downloads arrive',
  workChannels: 'Channels with Take and Done',
  reminderDays: 'Days from the reminder of files until they expire',
  admins: 'Additional admins',
  senders: 'Who can send files',
  requesters: 'Who can request files',
  downloaders: 'Who can download files',
  contactEditors: 'Who can change contacts',
  expiryUnit: 'The expiry unit',
  expiryDefault: 'The default expiry',
  expiryLongest: 'The maximum expiry',
  undoSeconds: 'Seconds to undo',
  message: 'The default message',
  recipientDomains: 'Allowed domains',
  watchedChannels: 'Watched channels',
  requests: 'File requests',
  contactsOnlyAdd: 'Contact sync',
  fileTypes: 'The rule for file types',
  extensions: 'File extensions',
  maxFileMb: 'The largest file',
  maxTotalMb: 'The largest transfer',
  unscanned: "Files that can't be scanned",
};

/** The inbox channels that a change adds. They are recorded in the audit entry, to find out who chose a channel. */
export function addedInboxChannels(before: Settings, after: Settings): string[] {
  const existing = new Set(inboxChannels(before));
  return [...new Set(inboxChannels(after))].filter((channel) => !existing.has(channel));
}

/** The channels in which new files are posted. */
export function inboxChannels({ inboxChannel, routes }: Pick<Settings, 'inboxChannel' | 'routes'>): string[] {
  return [...(inboxChannel === undefined ? [] : [inboxChannel]), ...routes.map(({ channel }) => channel)];
}

/** The channel that an admin has set for this sender's address or domain. The first match wins. */
export function routeFor(routes: Settings['routes'], sender = ''): string | undefined {
  const address = sender.trim().toLowerCase();
  const domain = address.includes('@') ? address.split('@').at(-1) : undefined;
  return routes.find(({ from }) => {
    const pattern = from.trim().toLowerCase().replace(/^@/, '');
    return pattern !== '' && (pattern === address || pattern === domain);
  })?.channel;
}

/** Removes the digests of channels in which no new files are posted. */
export function withoutUnusedDigests(settings: Settings): Settings {
  const channels = inboxChannels(settings);
  return { ...settings, digests: settings.digests.filter(({ channel }) => channels.includes(channel)) };
}

/** Whether items that wait for a digest can be due now, because digests or channels have changed. */
export function areDigestsChanged(before: Settings, after: Settings): boolean {
  const jsonOf = ({ inboxChannel, routes, digests }: Settings) => JSON.stringify([inboxChannel, routes, digests]);
  return before.digests.length > 0 && jsonOf(before) !== jsonOf(after);
}

/** Whether transfers can wait for other approvers than before. Without earlier approvers, none waits. */
export function areApproversChanged(before: Settings, after: Settings): boolean {
  const approversOf = ({ approval }: Settings) => [...approval.approvers, approval.channel ?? ''].sort();
  const [earlier, current] = [approversOf(before), approversOf(after)];
  return earlier.some((approver) => approver !== '') && String(earlier) !== String(current);
}

/** Hashes of a form's fields when it was opened, short enough for the form's metadata. */
export type FieldHashes = Record<string, string>;

export function hashOf(value: unknown): string {
  const sorted = Array.isArray(value) ? [...value].sort() : value;
  return createHash('sha256')
    .update(JSON.stringify(sorted ?? null))
    .digest('base64url')
    .slice(0, 10);
}

export function hashFields(fields: Fields, names: readonly FieldName[]): FieldHashes {
  return Object.fromEntries(names.map((name) => [name, hashOf(fields[name])]));
}

/**
 * The fields that an admin changed in a form. Other fields aren't written, so that another admin's changes to them
 * stay. Throws if another admin changed the same field while the form was open.
 */
export function changedFields(stored: Fields, draft: Partial<Fields>, seen: FieldHashes = {}): Partial<Fields> {
  const changed = (Object.keys(draft) as FieldName[]).filter((name) => {
    const enteredHash = hashOf(draft[name]);
    const storedHash = hashOf(stored[name]);
    const seenHash = seen[name] ?? storedHash;
    if (enteredHash === seenHash || enteredHash === storedHash) return false;
    if (storedHash === seenHash) return true;
    throw settingChanged(name, titles[name]);
  });
  return Object.fromEntries(changed.map((name) => [name, draft[name]]));
}

/** Fields that can't be emptied without confirmation, because Slack can lose a value and send an empty one. */
const clearable = ['inboxChannel', 'workChannels', 'admins', 'recipientDomains', 'watchedChannels'] as const;
export type Clearable = (typeof clearable)[number];

/** The fields that a form would empty and that need confirmation. */
export function fieldsToClear(stored: Fields, draft: Partial<Fields>, seen: FieldHashes = {}): Clearable[] {
  return clearable.filter((name) => {
    if (!(name in draft) || (draft[name] ?? []).length > 0) return false;
    const storedHash = hashOf(stored[name]);
    return ![storedHash, seen[name] ?? storedHash].includes(hashOf(draft[name]));
  });
}

/** Returns the settings with these changes. Throws an error that names the invalid field. */
export function withFields(settings: Settings, changes: Partial<Fields>): Settings {
  return validateSettings({ ...settings, ...changes });
}

export function validateSettings(settings: unknown): Settings {
  const { success, data, error } = settingsSchema.safeParse(settings);
  if (!success) {
    const errors = error.issues.map(({ message, path }) => invalidSetting(String(path[0]), message));
    createFieldErrors(errors).throwIfAny();
    throw invalidSetting('message', "This value isn't valid.");
  }
  expectExtensions(data);
  const { expiryDefault, expiryLongest } = data;
  if (expiryLongest !== undefined && expiryDefault > expiryLongest) throw defaultTooLong();
  return data;
}

/** An admin can have chosen the channel under its new id before the event came. Then the new choice counts. */
export function withChannelId(settings: Settings, from: string, to: string): Settings {
  const idOf = (channel: string) => (channel === from ? to : channel);
  const { inboxChannel, routes, digests, watchedChannels, workChannels, approval } = settings;
  const isChosenAgain = digests.some(({ channel }) => channel === to);
  return {
    ...settings,
    inboxChannel: inboxChannel && idOf(inboxChannel),
    routes: routes.map((route) => ({ ...route, channel: idOf(route.channel) })),
    digests: digests
      .filter(({ channel }) => channel !== from || !isChosenAgain)
      .map((digest) => ({ ...digest, channel: idOf(digest.channel) })),
    watchedChannels: [...new Set(watchedChannels.map(idOf))],
    workChannels: [...new Set(workChannels.map(idOf))],
    approval: { ...approval, channel: approval.channel && idOf(approval.channel) },
  };
}

/** Formats an hour as Slack does in English, like “9:00 AM”. */
export const hourText = (hour: number): string => `${hour % 12 || 12}:00 ${hour < 12 ? 'AM' : 'PM'}`;

/** How a channel gets new items. */
export function digestText(digest: Digest | undefined): string {
  if (digest === undefined) return 'a post for each item';
  if (digest.every === 'day') return `a digest once a day at ${hourText(digest.hour)} (${digest.zone})`;
  return digest.every === 'hour' ? 'a digest every hour' : 'a digest every 15 minutes';
}

export function expectExtensions({ fileTypes, extensions }: FileRules): void {
  if (fileTypes !== 'any' && extensions.length === 0) throw extensionMissing();
  if (fileTypes === 'any' && extensions.length > 0) throw extensionsUnused();
}

export function isExtensionAllowed({ fileTypes, extensions }: FileRules, extension: string): boolean {
  if (fileTypes === 'any') return true;
  return extensions.includes(extension) === (fileTypes === 'allow');
}
