import { contentOf, post } from '../../../slack/messages.ts';
import type { Actor } from '../../common/services.ts';
import type { SlackAccess } from '../../common/slack-services.ts';

/** Tells the person who disconnected the workspace that it is finished. */
export async function notifyDisconnected(
  slack: SlackAccess,
  { workspace, person }: Actor,
  isClean: boolean,
): Promise<void> {
  // The app was uninstalled in the meantime.
  if ((await slack.botOf(workspace)) === undefined) return;
  await post(await slack.clientOf(workspace), person, contentOf(disconnectedText(isClean)));
}

export const disconnectedText = (isClean: boolean): string =>
  `✅ Disconnected. This workspace's data in Dropline was deleted, except the audit log. ${isClean ? '' : "Leftover uploads couldn't be removed from the account. "}To read it: /drop audit.`;
