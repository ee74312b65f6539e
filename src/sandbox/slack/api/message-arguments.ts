import { checkMessage } from '../check/index.ts';
import { normalizeBlocks } from '../state/blocks.ts';
import type { Json, Message } from '../state/model.ts';
import { type Arguments, structure, text } from './arguments.ts';
import { refuseProblem } from './refusal.ts';

export type Content = Pick<Message, 'text' | 'blocks'>;

export const contentArguments = ['text', 'blocks'] as const;

/** A message's content, validated as Slack does. */
export function messageContent(args: Arguments): Content {
  const content = {
    text: text(args, 'text'),
    blocks: structure(args, 'blocks', 'invalid_blocks_format'),
  };
  return checkedContent(Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined)));
}

/** Like `messageContent`, for content that arrives as JSON: the answer to a command, or a post to a response_url. */
export function checkedContent(content: Json): Content {
  const { blocks } = content;
  refuseProblem(checkMessage(content));
  // An empty list is valid: it removes the blocks of a message.
  return {
    text: typeof content.text === 'string' ? content.text : '',
    ...(Array.isArray(blocks) && { blocks: normalizeBlocks(blocks) }),
  };
}
