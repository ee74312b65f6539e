import { type Content, isUnreachable, post } from '../slack/tell.ts';
import type { Store } from '../store/index.ts';
import { readSettings } from './settings/stored.ts';
import type { SlackSide } from './ui-services.ts';

/**
 * Who is to learn what an admin must know, of those who have not left: whoever connected the workspace, those whom the
 * settings name, whoever installed the app.
 */
export async function adminsToTell(slack: SlackSide, store: Store, workspace: string): Promise<string[]> {
  const bot = await slack.botOf(workspace);
  if (bot === undefined) return [];
  const connectedBy = (await store.credentials.get(workspace))?.connectedBy;
  const { admins } = await readSettings({ store }, workspace);
  const known = new Set([connectedBy, ...admins, bot.installedBy].filter((person) => person !== undefined));
  const roles = await Promise.all(
    // Where it cannot be told now who somebody is, the message itself will show whether it arrives.
    [...known].map((person) => slack.people.roleOf({ workspace, person }).catch(() => 'member')),
  );
  return [...known].filter((_, index) => roles[index] !== 'none');
}

/** Tells the first who can be told, and resolves with them; undefined where nobody ever can. Rejects where that may pass. */
export async function tellAdmin(
  slack: SlackSide,
  store: Store,
  workspace: string,
  content: Content,
): Promise<string | undefined> {
  for (const person of await adminsToTell(slack, store, workspace)) {
    try {
      await post(await slack.clientOf(workspace), person, content);
      return person;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
    }
  }
  return undefined;
}
