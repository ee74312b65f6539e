import { DroplineError, type ErrorLink, isDroplineError } from '../../../errors.ts';
import { canAddFiles, filesWriteMissing } from '../../../slack/upload.ts';
import type { SlackServices } from '../ui-services.ts';

/** Throws if the optional scope for files was declined. The error has a link to grant it. */
export async function expectFilePermission(services: SlackServices, workspace: string): Promise<void> {
  if (canAddFiles(await services.slack.botOf(workspace))) return;
  throw new DroplineError('switched-off', filesWriteMissing, { link: permissionLink(services) });
}

/** The link for an error that only the upload revealed: the scope was removed after the check. */
export function permissionLinkFor(services: SlackServices, error: unknown): ErrorLink | undefined {
  return isDroplineError(error) && error.message === filesWriteMissing ? permissionLink(services) : undefined;
}

/** Undefined without a client id or a public URL, because then there is no install page. */
function permissionLink({ publicUrl, slack }: SlackServices): ErrorLink | undefined {
  if (publicUrl === undefined || slack.signIn === undefined) return undefined;
  return { text: 'Allow file access', url: `${publicUrl}/slack/install` };
}
