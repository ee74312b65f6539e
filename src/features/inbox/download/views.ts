import type { ErrorLink } from '../../../lib/errors.ts';
import { actions, type Blocks, button, line, linkBlocks } from '../../../slack/blocks.ts';
import { truncateText } from '../../../slack/limits.ts';
import { count } from '../../../slack/words.ts';
import { fileAndSenderText, shownName } from '../../common/delivery/shown-file.ts';
import { fileIdOf, itemIdOf } from '../../common/ids.ts';
import { fileValue } from '../items/views.ts';
import type { BatchAnswer } from '../orders/operations.ts';
import type { EndedBatch } from '../orders/repository.ts';

interface FileToDownload {
  url: string;
  name: string;
  sender?: string;
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

/** The private answer to a click on Download. Below a post it is never updated, so it doesn't say “Downloading”. */
export function downloadStartText(name: string, isInThread: boolean): string {
  return isInThread
    ? `I'll post “${shownName(name)}” in the thread.`
    : `I'll send you “${shownName(name)}” in a direct message.`;
}

/** The private answer to a click that downloads several files. */
export function batchText({ answers, remaining, infected }: BatchAnswer): string {
  const omittedText = [
    remaining === 0 ? '' : ` ${count(remaining, 'file')} left. Click the button again when these have arrived.`,
    infected === 0 ? '' : ` ${count(infected, 'file')} with malware left out.`,
  ].join('');
  return `${startText(answers)}${omittedText}`;
}

function startText(answers: BatchAnswer['answers']): string {
  const [first] = answers;
  if (first === undefined) return "You've downloaded all of these files. To get one again, click Download next to it.";
  if ('link' in first)
    return answers.length === 1
      ? 'I sent you the link in a direct message.'
      : `I sent you ${answers.length} links in direct messages.`;
  if (answers.length === 1) return downloadStartText(first.name, first.isInThread);
  const files = count(answers.length, 'file');
  return first.isInThread ? `I'll post ${files} in the thread.` : `I'll send you ${files} in direct messages.`;
}

/** Shown in the modal when all downloads have ended. */
export function batchEndText({ total, failed }: Pick<EndedBatch, 'total' | 'failed'>): string {
  if (failed === 0) return `${count(total, 'file')} ${total === 1 ? 'is' : 'are'} in our direct messages.`;
  return `⚠️ ${failed} of ${count(total, 'file')} couldn't be downloaded. See our direct messages.`;
}
