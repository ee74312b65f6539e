import type { ErrorLink } from '../../../errors.ts';
import { actions, type Blocks, button, line, linkBlocks, note } from '../../../slack/blocks.ts';
import { cutTo } from '../../../slack/limits.ts';
import { oneLine } from '../../../slack/words.ts';
import { fileIdOf, itemIdOf } from '../../common/ids.ts';
import { fileValue, shownName } from '../items/views.ts';

interface OrderedFile {
  url: string;
  name: string;
  sender?: string | undefined;
}

export function fetchedText({ name, sender = '' }: Pick<OrderedFile, 'name' | 'sender'>): string {
  const from = cutTo(oneLine(sender), 254);
  return from === '' ? `“${shownName(name)}”` : `“${shownName(name)}” from ${from}`;
}

/** A text, because Slack doesn't document buttons on uploaded files. */
export const sendOnHint = ". To send it on, open this message's ⋮ menu and choose Send securely.";

export const directMessageReason = "I'm sending it here because I can't post it in the thread right now.";

export function failedText(order: OrderedFile, reason: string): string {
  return `⚠️ ${fetchedText(order)} couldn't be downloaded. ${cutTo(reason, 1_500)}`;
}

export function failedBlocks(order: OrderedFile, text: string, canRetry: boolean, link?: ErrorLink): Blocks {
  if (!canRetry || link !== undefined) return [line(text), ...linkBlocks(link)];
  const value = fileValue.write({ item: itemIdOf(order.url), file: fileIdOf(order.name), again: true });
  const retryButton = button('Try again', 'inbox.download', {
    value,
    accessibilityLabel: `Download ${shownName(order.name)} again`,
  });
  return [line(text), actions(retryButton)];
}

export const deliveredText = (name: string): string => `“${shownName(name)}” is in our direct messages.`;

export const undeliveredText = (name: string): string =>
  `⚠️ “${shownName(name)}” couldn't be downloaded. See our direct messages.`;

/** Replaces the message with the link once the link can't be used again. */
export const usedLinkText = (file: Pick<OrderedFile, 'name' | 'sender'>): string =>
  `Your link to ${fetchedText(file)} has been used.`;

/** Goes into a direct message: the link is for one person and expires. */
export function linkMessage(
  order: Pick<OrderedFile, 'name' | 'sender'> & { signature?: string },
  url: string,
): { text: string; blocks: Blocks } {
  const warning = order.signature === undefined ? '' : ` ⚠️ Malware found in this file: ${order.signature}.`;
  const text = `Your link to ${fetchedText(order)}. It works once, for ten minutes.${warning}`;
  return {
    text,
    blocks: [
      line(text),
      actions(
        button('Open download page', 'link.download', {
          url,
          accessibilityLabel: `Download ${shownName(order.name)}`,
        }),
      ),
      note("Don't share it: anyone who has it can use it."),
    ],
  };
}
