import type { ErrorLink } from '../../../errors.ts';
import { actions, type Blocks, button, line, linkBlocks } from '../../../slack/blocks.ts';
import { truncateText } from '../../../slack/limits.ts';
import { fileAndSenderText, shownName } from '../../common/delivery/shown-file.ts';
import { fileIdOf, itemIdOf } from '../../common/ids.ts';
import { fileValue } from '../items/views.ts';

interface FileToDownload {
  url: string;
  name: string;
  sender?: string | undefined;
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
