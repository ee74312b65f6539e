import { createFieldErrors } from '../../lib/errors.ts';
import { inTransaction } from '../../store/index.ts';
import { audited } from '../common/audited.ts';
import type { Actor, Services } from '../common/services.ts';
import { describeChanges } from './changes.ts';
import { outsidersSelected } from './errors.ts';
import {
  areApproversChanged,
  changedFields,
  type FieldHashes,
  type Fields,
  validateSettings,
  withChannelId,
  withFields,
} from './fields.ts';
import { addedInboxChannels, isPostingChanged } from './inbox-channels.ts';
import { approversKind, digestsChangedKind, queueAdminNotice, queueChannelNotices } from './jobs.ts';
import { expectAllowed } from './permission.ts';
import {
  peopleWhoSetUp,
  permissionSettings,
  type Settings,
  updateSettings,
  updateSettingsWithin,
} from './repository.ts';
import { weakenings } from './weakening.ts';

/** Changes these settings and leaves all others unchanged. */
export function changeSettings(services: Services, admin: Actor, changes: Partial<Settings>): Promise<Settings> {
  return rewrite(services, admin, (current) => validateSettings({ ...current, ...changes }));
}

/** Like `changeSettings`, for a form: throws if another admin changed the same field while the form was open. */
export function saveFields(
  services: Services,
  admin: Actor,
  draft: Partial<Fields>,
  seen: FieldHashes = {},
): Promise<Settings> {
  const changesOf = (current: Settings) => changedFields(current, draft, seen);
  return rewrite(
    services,
    admin,
    (current) => withFields(current, changesOf(current)),
    (current) => expectPeople(services, admin, changesOf(current)),
  );
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
    const { workspace } = admin;
    const people = await peopleWhoSetUp(services.store, workspace);
    return updateSettings(services, workspace, change, async (client, before, after) => {
      const changed = describeChanges(before, after);
      if (changed.length === 0) return skipEntry();
      const channels = addedInboxChannels(before, after);
      await record(client, { changed, channels: channels.map((channel) => ({ channel })) });
      await queueChannelNotices(services, admin, channels, client);
      const { queue } = services;
      if (isPostingChanged(before, after))
        await queue.add(digestsChangedKind, { workspace }, { key: `digests-changed ${workspace}`, within: client });
      if (areApproversChanged(before, after))
        await queue.add(approversKind, { workspace }, { key: `approvers ${workspace}`, within: client });
      await queueAdminNotice(client, services, admin, [...people, ...before.admins], weakenings(before, after));
    });
  });
}

/** The maximum number of people in an error message. */
const maxNamed = 5;

/** Throws if one of the people can't use Dropline at all, because a permission would have no effect for them. */
export async function expectPeople(
  { people }: Services,
  { workspace }: Actor,
  changes: Partial<Fields>,
  nameOf: (person: string) => Promise<string> = async (person) => person,
): Promise<void> {
  const errors = createFieldErrors();
  for (const field of ['admins', ...Object.values(permissionSettings)] as const) {
    const peopleIds = changes[field];
    if (!Array.isArray(peopleIds)) continue;
    const roles = await Promise.all(peopleIds.map((person) => people.roleOf({ workspace, person })));
    const outsiders = peopleIds.filter((_, index) => roles[index] === 'none');
    if (outsiders.length === 0) continue;
    const names = await Promise.all(outsiders.slice(0, maxNamed).map(nameOf));
    const peopleField = field === 'admins' ? field : `${field}People`;
    errors.add(outsidersSelected(peopleField, names, outsiders.length - names.length));
  }
  errors.throwIfAny();
}

/** The fields of stored values that hold the id of a channel. Others can have any text, for example a file's name. */
const channelFields = new Set(['channel', 'inboxChannel', 'to']);

/**
 * Replaces the id of a channel everywhere: in the settings, and where posts, cards and downloads are. Idempotent, and
 * without an effect if the event is late: nothing has the old id any longer. Audit entries never change.
 */
export async function followChannelId(services: Services, workspace: string, from: string, to: string): Promise<void> {
  const { store } = services;
  const account = await store.credentials.accountOf(workspace);
  await inTransaction(store.pool, async (client) => {
    // Settings first: this takes the lock under which they are changed.
    if (account !== undefined)
      await updateSettingsWithin(client, services, { workspace, account }, (before) => withChannelId(before, from, to));
    await store.rewriteEncrypted(client, workspace, JSON.stringify(from), (text) =>
      JSON.stringify(JSON.parse(text, (field, value) => (channelFields.has(field) && value === from ? to : value))),
    );
  });
}
