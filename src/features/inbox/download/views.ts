import type { ErrorLink } from '../../../errors.ts';
import { actions, type Blocks, button, line, linkBlocks, note } from '../../../slack/blocks.ts';
import { truncateText } from '../../../slack/limits.ts';
import { oneLine } from '../../../slack/words.ts';
import { fileIdOf, itemIdOf } from '../../common/ids.ts';
import { fileValue, shownName } from '../items/views.ts';

interface FileToDownload {
  url: string;
  name: string;
  sender?: string | undefined;
}

export function fileAndSenderText({ name, sender = '' }: Pick<FileToDownload, 'name' | 'sender'>): string {
  const from = truncateText(oneLine(sender), 254);
  return from === '' ? `“${shownName(name)}”` : `“${shownName(name)}” from ${from}`;
}

/** A text instead of a button, because Slack doesn't document buttons on uploaded files. */
export const sendOnHint = ". To send it on, open this message's ⋮ menu and choose Send securely.";

export const directMessageReason = "I'm sending it here because I can't post it in the thread right now.";

export function failedText(file: FileToDownload, reason: string): string {
  return `⚠️ ${fileAndSenderText(file)} couldn't be downloaded. ${truncateText(reason, 1_500)}`;
}

export function failedBlocks(file: FileToDownload, text: string, canRetry: boolean, link?: ErrorLink): Blocks {
  if (!canRetry || link !== undefined) return [line(text), ...linkBlocks(link)];
  const value = fileValue.write({ item: itemIdOf(file.url), file: fileIdOf(file.name), again: true });
  const retryButton = button('Try again', 'inbox.download', {
    value,
    accessibilityLabel: `Download ${shownName(file.name)} again`,
  });
  return [line(text), actions(retryButton)];
}

export const deliveredText = (name: string): string => `“${shownName(name)}” is in our direct messages.`;

export const undeliveredText = (name: string): string =>
  `⚠️ “${shownName(name)}” couldn't be downloaded. See our direct messages.`;

/** Replaces the link's message after the link was used. */
export const usedLinkText = (file: Pick<FileToDownload, 'name' | 'sender'>): string =>
  `Your link to ${fileAndSenderText(file)} has been used.`;

/** Without Sign in with Slack, Dropline can't tell who opens the link. */
export const sharedLinkHint = "Don't share it: anyone who has it can download the file.";

/** Goes into a direct message: the link is for one person and expires. */
export function linkMessage(
  file: Pick<FileToDownload, 'name' | 'sender'> & { signature?: string },
  url: string,
  requiresSignIn: boolean,
): { text: string; blocks: Blocks } {
  const warning = file.signature === undefined ? '' : ` ⚠️ Malware found in this file: ${file.signature}.`;
  const text = `Your link to ${fileAndSenderText(file)}. It works once, for ten minutes.${warning}`;
  return {
    text,
    blocks: [
      line(text),
      actions(
        button('Open download page', 'link.download', {
          url,
          accessibilityLabel: `Download ${shownName(file.name)}`,
        }),
      ),
      note(requiresSignIn ? 'Only you can use it: the page asks you to sign in with Slack.' : sharedLinkHint),
    ],
  };
}
