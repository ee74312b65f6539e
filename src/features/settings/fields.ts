import { createHash } from 'node:crypto';
import { createFieldErrors } from '../../lib/errors.ts';
import { defaultTooLong, extensionMissing, extensionsUnused, invalidSetting, settingChanged } from './errors.ts';
import { expectDistinct, withInboxChannelId } from './inbox-channels.ts';
import { type FileRules, type Settings, settingsSchema } from './repository.ts';

/** Approval has its own form and field names. */
export type Fields = Omit<Settings, 'approval'>;
export type FieldName = keyof Fields;

/** Names of the fields in error messages and audit entries. */
export const titles: Record<FieldName, string> = {
  inboxChannels: 'Inbox channels',
  delivery: 'How downloads arrive',
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
const clearable = ['admins', 'recipientDomains', 'watchedChannels'] as const;
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
  expectDistinct(data);
  const { expiryDefault, expiryLongest } = data;
  if (expiryLongest !== undefined && expiryDefault > expiryLongest) throw defaultTooLong();
  return data;
}

export function withChannelId(settings: Settings, from: string, to: string): Settings {
  const idOf = (channel: string) => (channel === from ? to : channel);
  const { inboxChannels, watchedChannels, approval } = settings;
  return {
    ...settings,
    inboxChannels: withInboxChannelId(inboxChannels, from, to),
    watchedChannels: [...new Set(watchedChannels.map(idOf))],
    approval: { ...approval, channel: approval.channel && idOf(approval.channel) },
  };
}

export function expectExtensions({ fileTypes, extensions }: FileRules): void {
  if (fileTypes !== 'any' && extensions.length === 0) throw extensionMissing();
  if (fileTypes === 'any' && extensions.length > 0) throw extensionsUnused();
}

export function isExtensionAllowed({ fileTypes, extensions }: FileRules, extension: string): boolean {
  if (fileTypes === 'any') return true;
  return extensions.includes(extension) === (fileTypes === 'allow');
}
