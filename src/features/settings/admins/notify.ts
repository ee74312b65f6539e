import { bounds } from '../../../lib/bounds.ts';
import { line, list, note } from '../../../slack/blocks.ts';
import { type Content, contentOf, isUnreachable, type MessageLocation, post } from '../../../slack/messages.ts';
import { andList } from '../../../slack/words.ts';
import type { Desk, Store } from '../../../store/index.ts';
import type { Actor, AdminNotice, Phrase } from '../../common/services.ts';
import type { SlackAccess } from '../../common/slack-services.ts';
import { canGet, peopleAmong, rightsOf } from '../permission.ts';
import { readWorkspaceSettings } from '../repository.ts';

/**
 * The admins to notify: the person who connected the workspace, the admins in the settings and the person who installed
 * the app, if they are admins now, and can do this. Rejects if no admin is found and Slack failed to report a role.
 */
export async function adminsToNotify(
  slack: SlackAccess,
  store: Store,
  { workspace, account: desk }: Desk,
  action: 'admin' | 'desks' = 'admin',
): Promise<string[]> {
  const bot = await slack.botOf(workspace);
  if (bot === undefined) return [];
  const connected = await store.credentials.list(workspace);
  const connectedBy = [...connected.values()].map((credentials) => credentials.connectedBy);
  const { admins: named } = await readWorkspaceSettings({ store }, workspace);
  const services = { store, people: slack.people };
  // If Slack doesn't list the members of a channel, the others are notified.
  const additional = await peopleAmong(services, workspace, named).catch(() => named);
  const candidates = [
    ...new Set([...connectedBy, ...additional.slice(0, bounds.adminsNotified), bot.installedBy]),
  ].filter((person) => person !== undefined);
  const [account = undefined] = desk === undefined ? connected.keys() : [desk];
  const rights = await Promise.allSettled(
    candidates.map((person) => rightsOf(services, { workspace, account, person })),
  );
  const admins = candidates.filter((_, index) => {
    const read = rights[index];
    return read?.status === 'fulfilled' && read.value.may(action);
  });
  const failure = rights.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (admins.length === 0 && failure !== undefined) throw failure.reason;
  return admins;
}

/**
 * Notifies the first admin who can be reached. Resolves with that person and the message's location, or with undefined
 * if no admin can be reached. Rejects if the failure can be temporary.
 */
export async function notifyAdmin(
  slack: SlackAccess,
  store: Store,
  desk: Desk,
  content: Content,
  action?: 'admin' | 'desks',
): Promise<{ person: string; location: MessageLocation } | undefined> {
  for (const person of await adminsToNotify(slack, store, desk, action)) {
    try {
      return { person, location: await post(await slack.clientOf(desk.workspace), person, content) };
    } catch (error) {
      if (!isUnreachable(error)) throw error;
    }
  }
  return undefined;
}

/** Tells an admin, or a channel of admins, what someone else did. Skips those who have left or can't use Dropline any more. */
export async function notifyOfChanges(
  slack: SlackAccess,
  store: Store,
  admin: Actor,
  notice: AdminNotice,
): Promise<void> {
  // The app was uninstalled in the meantime.
  if ((await slack.botOf(admin.workspace)) === undefined) return;
  if (
    !(await canGet(
      { store, people: slack.people },
      { workspace: admin.workspace, account: notice.account },
      admin.person,
    ))
  )
    return;
  await post(await slack.clientOf(admin.workspace), admin.person, adminNoticeContent(notice));
}

/** Tells an admin what another one did that weakens how files are protected. */
export function adminNoticeContent({ by, changes }: AdminNotice): Content {
  const [first = [], ...others] = changes;
  const blocks =
    others.length === 0
      ? [line('⚠️ ', { user: by }, ' ', ...first, '.')]
      : [line('⚠️ ', { user: by }, ' changed how files are protected here:'), list(changes)];
  return contentOf(`⚠️ An admin ${andList(changes.map(textOf), changes.length)}.`, [
    ...blocks,
    note('You get this because you set up Dropline here or are an additional admin. Details: /drop audit.'),
  ]);
}

/** Without names, which the text of a notification can't show. */
const textOf = (phrase: Phrase): string =>
  phrase.map((piece) => (typeof piece === 'string' ? piece : 'user' in piece ? 'someone' : 'a channel')).join('');
