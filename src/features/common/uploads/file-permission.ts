import { DroplineError, type ErrorLink, isDroplineError } from '../../../errors.ts';
import { filesWriteMissing, mayPutFiles } from '../../../slack/upload.ts';
import type { SlackServices } from '../ui-services.ts';

/** Throws if the optional scope for files was declined, with a link that asks for it again. */
export async function expectFilePermission(services: SlackServices, workspace: string): Promise<void> {
  if (mayPutFiles(await services.slack.botOf(workspace))) return;
  throw new DroplineError('switched-off', filesWriteMissing, { link: permissionLink(services) });
}

/** The link for an error that only the upload revealed: the scope was removed after the check. */
export function permissionLinkFor(services: SlackServices, error: unknown): ErrorLink | undefined {
  return isDroplineError(error) && error.message === filesWriteMissing ? permissionLink(services) : undefined;
}

/** Undefined without a client id and a public URL: then there is no install page. */
function permissionLink({ publicUrl, slack }: SlackServices): ErrorLink | undefined {
  if (publicUrl === undefined || slack.signIn === undefined) return undefined;
  return { text: 'Allow file access', url: `${publicUrl}/slack/install` };
}
