import { createFieldErrors } from '../../lib/errors.ts';
import { inTransaction } from '../../store/index.ts';
import { audited } from '../common/audited.ts';
import type { Actor, Services } from '../common/services.ts';
import { approvalOf, hasRules } from './approval.ts';
import { changedIn, type Draft, describeChanges, type SeenHashes, withLastChange } from './changes.ts';
import {
  alreadyRemoved,
  approversMissing,
  defaultTooLong,
  deskNeedsChannel,
  extensionMissing,
  extensionsUnused,
  invalidSetting,
  lastTrustedSender,
  outsidersSelected,
} from './errors.ts';
import {
  addedInboxChannels,
  channelFor,
  expectDistinct,
  isPostingChanged,
  withInboxChannelId,
} from './inbox-channels.ts';
import {
  approversKind,
  digestsChangedKind,
  queueAdminNotice,
  queueChannelChecks,
  queueChannelNotices,
  queueForDesk,
} from './jobs.ts';
import { areDesks } from './membership.ts';
import { canUse, expectAllowed, peopleGone } from './permission.ts';
import {
  changesOf,
  namedIn,
  peopleSettings,
  peopleWhoSetUp,
  type Settings,
  settingsSchema,
  updateSettings,
  updateSettingsWithin,
} from './repository.ts';
import { channelsFieldOf, definitions, peopleFieldOf, type SettingName } from './table/definitions.ts';
import { isChannel } from './table/phrases.ts';
import { weakenings } from './weakening.ts';

/** Changes these settings and leaves all others unchanged. */
export function changeSettings(services: Services, admin: Actor, changes: Partial<Settings>): Promise<Settings> {
  return rewrite(services, admin, (current) => validateSettings({ ...current, ...changes }));
}

/** What an admin entered in a form. `seen`: hashes of the values when the form was opened. */
export interface EnteredDraft {
  draft: Draft;
  seen?: SeenHashes;
}

/** Like `changeSettings`, for a form: throws if another admin changed the same setting while the form was open. */
export function saveDraft(services: Services, admin: Actor, { draft, seen }: EnteredDraft): Promise<Settings> {
  return rewrite(
    services,
    admin,
    (current) => validateSettings({ ...current, ...changedIn(current, draft, seen) }),
    (current) => expectPeople(services, admin, changedIn(current, draft, seen)),
  );
}

/** Whether transfers can wait for other approvers than before. Without earlier approvers, none waits. */
function areApproversChanged(before: Settings, after: Settings): boolean {
  const [earlier, current] = [before, after].map(({ approvers }) => String([...approvers].sort()));
  return earlier !== '' && earlier !== current;
}

/**
 * Checks the permission, changes the settings, adds the audit entry and queues the jobs that follow from a change. The
 * last three are one transaction.
 */
export function rewrite(
  services: Services,
  admin: Actor,
  change: (current: Settings) => Settings,
  check?: (current: Settings) => Promise<void>,
): Promise<Settings> {
  return audited(services, admin, 'settings', async ({ record, skipEntry }) => {
    const { settings } = await expectAllowed(services, admin, 'admin');
    await check?.(settings);
    const people = await peopleWhoSetUp(services.store, admin.workspace);
    const changeAll = (current: Settings) => withLastChange(current, change(current), admin);
    return updateSettings(services, admin, changeAll, async (client, before, after, desk) => {
      const changed = describeChanges(before, after);
      if (changed.length === 0) return skipEntry();
      if (channelFor(before) !== undefined && channelFor(after) === undefined) await expectNoDesk(services, admin);
      const channels = addedInboxChannels(before, after);
      await record(client, { changed, channels: channels.map((channel) => ({ channel })) });
      await queueChannelNotices(services, { ...admin, ...desk }, channels, client);
      if (channels.length > 0) await queueChannelChecks(services, desk, { within: client });
      if (isPostingChanged(before, after)) await queueForDesk(services, digestsChangedKind, desk, { within: client });
      if (areApproversChanged(before, after)) await queueForDesk(services, approversKind, desk, { within: client });
      const recipients = [...people, ...before.admins];
      if (admin.account === undefined)
        return queueAdminNotice(client, services, admin, recipients, weakenings(before, after));
      const { workspace, person } = admin;
      const ofWorkspace = weakenings(before, changesOf('workspace', before, after));
      await queueAdminNotice(client, services, { workspace, person }, recipients, ofWorkspace);
      await queueAdminNotice(
        client,
        services,
        admin,
        recipients,
        weakenings(before, changesOf('account', before, after)),
      );
    });
  });
}

/** A desk without a channel would belong to everyone. */
async function expectNoDesk({ store }: Pick<Services, 'store'>, { workspace }: Actor): Promise<void> {
  if (areDesks(await store.credentials.list(workspace))) throw deskNeedsChannel();
}

/** Throws an error that names all invalid fields. */
export function validateSettings(settings: Settings): Settings {
  const errors = createFieldErrors();
  const { data = settings, error } = settingsSchema.safeParse(settings);
  for (const { message, path } of error?.issues ?? []) {
    const [name, part] = path;
    errors.add(invalidSetting(part === 'channels' ? channelsFieldOf(name as SettingName) : String(name), message));
  }
  const { fileTypes, extensions, expiryDefault, expiryLongest, approvers } = data;
  if (fileTypes !== 'any' && extensions.length === 0) errors.add(extensionMissing());
  if (fileTypes === 'any' && extensions.length > 0) errors.add(extensionsUnused());
  if (expiryLongest !== undefined && expiryDefault > expiryLongest) errors.add(defaultTooLong());
  errors.check(() => expectDistinct(data));
  errors.throwIfAny();
  // The form of the rules doesn't have this field, so it must not replace the errors of others.
  if (approvers.length === 0 && hasRules(approvalOf(data))) throw approversMissing();
  return data;
}

/** The maximum number of people in an error message. */
const maxNamed = 5;

/** Throws if one of the people can't use Dropline at all, because a setting would have no effect for them. */
export async function expectPeople(
  services: Services,
  { workspace }: Actor,
  changes: Draft,
  nameOf: (person: string) => Promise<string> = async (person) => person,
): Promise<void> {
  const errors = createFieldErrors();
  for (const name of peopleSettings) {
    const peopleIds = namedIn(changes, name).filter((id) => !isChannel(id));
    const present = await Promise.all(peopleIds.map((person) => canUse(services, { workspace, person })));
    const outsiders = peopleIds.filter((_, index) => present[index] === false);
    if (outsiders.length === 0) continue;
    const names = await Promise.all(outsiders.slice(0, maxNamed).map(nameOf));
    errors.add(outsidersSelected(peopleFieldOf(name), names, outsiders.length - names.length));
  }
  errors.throwIfAny();
}

/** The people whom the settings name and who can't use Dropline any more. */
export const namedAndGone = (services: Services, { workspace }: Actor, settings: Settings): Promise<string[]> =>
  peopleGone(
    services,
    workspace,
    peopleSettings.flatMap((name) => namedIn(settings, name)),
  );

/** Removes a person from all settings. */
export const removePerson = (services: Services, admin: Actor, person: string): Promise<Settings> =>
  rewrite(services, admin, (current) => validateSettings(withoutPerson(current, person)));

function withoutPerson(settings: Settings, person: string): Settings {
  const changes = peopleSettings.flatMap((name) => {
    const ids = namedIn(settings, name);
    if (!ids.includes(person)) return [];
    const others = ids.filter((id) => id !== person);
    // An empty list of trusted senders would turn its rule off.
    if (name === 'approvalSenders' && others.length === 0) throw lastTrustedSender();
    const isPermission = definitions[name].input.kind === 'permission';
    return [[name, isPermission && others.length === 0 ? 'admins' : others]];
  });
  if (changes.length === 0) throw alreadyRemoved();
  return { ...settings, ...Object.fromEntries(changes) };
}

export function withChannelId(settings: Settings, from: string, to: string): Settings {
  const idOf = (channel: string) => (channel === from ? to : channel);
  const { inboxChannels, watchedChannels } = settings;
  const named = peopleSettings.filter((name) => namedIn(settings, name).includes(from));
  return {
    ...settings,
    ...Object.fromEntries(named.map((name) => [name, [...new Set(namedIn(settings, name).map(idOf))]])),
    inboxChannels: withInboxChannelId(inboxChannels, from, to),
    watchedChannels: [...new Set(watchedChannels.map(idOf))],
  };
}

/** The fields of stored values that hold the id of a channel. Others can have any text, for example a file's name. */
const channelFields = new Set(['channel', 'inboxChannel', 'to']);

/**
 * Replaces the id of a channel everywhere: in the settings, and where posts, cards and downloads are. Idempotent, and
 * without an effect if the event is late: nothing has the old id any longer. Audit entries never change.
 */
export async function followChannelId(services: Services, workspace: string, from: string, to: string): Promise<void> {
  const { store } = services;
  const accounts = [...(await store.credentials.list(workspace)).keys()];
  await inTransaction(store.pool, async (client) => {
    // Settings first: this takes the lock under which they are changed.
    for (const account of accounts)
      await updateSettingsWithin(client, services, { workspace, account }, (before) => withChannelId(before, from, to));
    await store.renameChannel(client, workspace, from, to);
    await store.rewriteEncrypted(client, workspace, JSON.stringify(from), (text) =>
      JSON.stringify(JSON.parse(text, (field, value) => (channelFields.has(field) && value === from ? to : value))),
    );
  });
}
